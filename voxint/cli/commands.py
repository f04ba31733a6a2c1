"""The table of commands: one line each. A function's signature is its command line."""

from __future__ import annotations

COMMANDS: dict[str, dict[str, str]] = {
    "score": {
        "name-accuracy": "voxint.harness.name_accuracy:score",
        "agreement": "voxint.harness.agreement:score",
        "ensemble": "voxint.harness.ensemble:score",
        "gates": "voxint.harness.gate_metrics:score",
        "goldset": "voxint.harness.goldset_strata:score",
    },
    "attribution": {
        "recurrence": "voxint.harness.ami_recurrence:score",
        "generate-protocol": "voxint.harness.attribution_protocol:generate",
        "protocol": "voxint.harness.attribution_protocol:inspect_manifest",
        "align": "voxint.harness.attribution_meetings:score",
    },
    "contract": {
        "list": "voxint.cli.contracts:list_contracts",
        "show": "voxint.cli.contracts:show",
        "check": "voxint.cli.contracts:check",
    },
}

GROUPS: dict[str, str] = {
    "score": "Scorers: JSON files in, one report out.",
    "attribution": "A corpus with known speakers: who recurs, who is tested where, which slot is whose.",
    "contract": "The JSON Schemas that every file obeys.",
}
