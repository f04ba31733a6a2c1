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
        "score": "voxint.harness.attribution_metrics:score",
        "report": "voxint.harness.attribution_report:report",
    },
    "calibrate": {
        "plan": "voxint.harness.calibration:plan",
        "sweep": "voxint.harness.calibration:sweep",
        "compare": "voxint.harness.calibration:compare",
        "select": "voxint.harness.calibration:select",
        "certify": "voxint.harness.calibration:certify",
    },
    "rate": {
        "judge": "voxint.edges.script_judge:score",
        "audio-judge": "voxint.edges.audio_judge:score",
    },
    "store": {
        "init": "voxint.store.commands:init",
        "upgrade": "voxint.store.commands:upgrade",
        "ingest": "voxint.store.commands:ingest",
        "enroll": "voxint.store.operator_commands:enroll",
        "decide": "voxint.store.operator_commands:decide",
        "merge-speakers": "voxint.store.operator_commands:merge_speakers",
        "archive": "voxint.store.operator_commands:archive",
        "restore": "voxint.store.operator_commands:restore",
        "match": "voxint.store.commands:match",
        "speakers": "voxint.store.commands:speakers",
    },
    "contract": {
        "list": "voxint.cli.contracts:list_contracts",
        "show": "voxint.cli.contracts:show",
        "check": "voxint.cli.contracts:check",
    },
}

GROUPS: dict[str, str] = {
    "score": "Scorers: JSON files in, one report out.",
    "attribution": "A corpus with known speakers: who recurs, who is tested where, which slot is whose, who was shown.",
    "calibrate": "Gates chosen on one half of a corpus and certified on the other, by a rule fixed before.",
    "rate": "Scripts and their recordings: judged by models, one document a judgement.",
    "store": "Runs, speakers, matches and rulings, in SQLite or PostgreSQL.",
    "contract": "The JSON Schemas that every file obeys.",
}
