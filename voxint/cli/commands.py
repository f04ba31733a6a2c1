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
    "contract": {
        "list": "voxint.cli.contracts:list_contracts",
        "show": "voxint.cli.contracts:show",
        "check": "voxint.cli.contracts:check",
    },
}

GROUPS: dict[str, str] = {
    "score": "Scorers: JSON files in, one report out.",
    "contract": "The JSON Schemas that every file obeys.",
}
