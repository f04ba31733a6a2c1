"""What becomes of documents of earlier contract versions: today each of them is refused, with the way out."""

from __future__ import annotations

_REFUSED = {
    ("ProtocolManifest", "1"): "schema 1 has no roles and splits: regenerate the manifest with "
    "voxint attribution generate-protocol",
}


def way_out(model: str, version: str) -> str | None:
    """What to do with a document for `model` that says it is of `version`; None where nothing is known.

    >>> way_out("ProtocolManifest", "1")
    'schema 1 has no roles and splits: regenerate the manifest with voxint attribution generate-protocol'
    """
    return _REFUSED.get((model, version))
