"""What a recording is judged by: five axes, what each means, and what 2, 5 and 8 sound like on it."""

from __future__ import annotations

from collections.abc import Mapping

from voxint_contracts.audio_eval.v1 import AudioJudgeAxis

from voxint.autorater.judge_rubric import Anchors

PROFILE_ID = "audio-drama-v1"
PROMPT_ID = "audio-judge-1"

RUBRIC: Mapping[AudioJudgeAxis, Anchors] = {
    AudioJudgeAxis.CHARACTER_DISTINCTNESS: Anchors(
        "Who speaks can be told by ear alone.",
        "Two leads or more sound like one person.",
        "Leads can be told apart, after a line or two.",
        "Every character is known from the first words, without a name and without the text.",
    ),
    AudioJudgeAxis.DELIVERY_MATCH: Anchors(
        "Lines are spoken as the script means them.",
        "Read aloud: irony, anger and whispering sound alike.",
        "Plain feelings are there; what lies under a polite line is lost.",
        "Intention is heard in nearly every line, the ones that mean the opposite of their words included.",
    ),
    AudioJudgeAxis.PACING: Anchors(
        "Tempo and pauses serve the lines.",
        "Gaps between lines are all alike, or so long or short that exchanges fall apart.",
        "Comfortable on the whole; some jokes are trodden on or waited for.",
        "Pauses are placed, interruptions interrupt, and the tempo follows the scene.",
    ),
    AudioJudgeAxis.PROSODY_VARIATION: Anchors(
        "Pitch, stress and loudness move as in living speech.",
        "One melody for every sentence.",
        "Sentences vary; long speeches fall into a pattern.",
        "Stress falls on the word that matters, and no two lines have one tune by accident.",
    ),
    AudioJudgeAxis.CONSISTENCY_ACROSS_EPISODE: Anchors(
        "Each character keeps one voice from start to end.",
        "A character is spoken by what sounds like another actor, or changes accent.",
        "The same voice, with drifts of pitch, age or distance between takes.",
        "One person throughout; changes of mood are the only changes.",
    ),
}
"""The five axes in the order of the first repeat."""
