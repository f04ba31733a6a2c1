"""The evidence store as files of the harness: the only package that knows both.

Every function takes a session and returns models of the contracts; `files` puts them in a folder.
"""

from voxint.harness_export.items import name_accuracy_items
from voxint.harness_export.slots import agreement_slots
from voxint.harness_export.snapshot import evidence_snapshot
from voxint.harness_export.voiceprints import agreement_enrollment

__all__ = ["agreement_enrollment", "agreement_slots", "evidence_snapshot", "name_accuracy_items"]
