"""What a script is judged by: eleven axes, what each means, and what 2, 5 and 8 look like on it.

The anchors are this house's own wording. Changing one changes the digest of the prompt, and with it which scores may be
compared: say so in the changelog.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from voxint_contracts.autorater.v1 import JudgeAxis

AxisName = TypeVar("AxisName", bound=str)

PROFILE_ID = "finnemore-taste-v1"
PROMPT_ID = "script-judge-1"


@dataclass(frozen=True, slots=True)
class Anchors:
    """One axis of a rubric: what a high score means, and what earns 2, 5 and 8."""

    meaning: str
    two: str
    five: str
    eight: str


RUBRIC: Mapping[JudgeAxis, Anchors] = {
    JudgeAxis.FORM_AS_FINITE_GENERATOR: Anchors(
        "One stated device with a fixed number of turns makes the jokes and decides the end.",
        "Scenes follow one another; nothing but the length ends the script.",
        "A device is announced and comes back, but turns could be added or dropped and the ending would stand.",
        "The listener knows how many turns are left, each turn makes the next one harder, and the last one is the end.",
    ),
    JudgeAxis.LONG_FUSE_PLOTTING: Anchors(
        "Small things laid early go off late, and feel both unforeseen and fair.",
        "What matters at the end is first heard of at the end.",
        "A few early details return; an attentive listener sees them coming.",
        "Three details or more that passed as colour decide the last scenes, and each was plain to hear at the time.",
    ),
    JudgeAxis.STATUS_AS_LIVE_WIRE: Anchors(
        "Who has the upper hand is always in play and moves on lines.",
        "Ranks are stated at the start and stay.",
        "The upper hand changes once or twice, in speeches that say so.",
        "It moves within exchanges, by what is said and not said, and both sides know it.",
    ),
    JudgeAxis.STRUCTURAL_REVEAL: Anchors(
        "A late turn makes earlier scenes mean something else.",
        "There is no turn, or it changes only what comes after it.",
        "A turn explains one earlier oddity.",
        "After the turn, several earlier scenes have to be understood anew, and hold.",
    ),
    JudgeAxis.POLITENESS_AS_MASKING: Anchors(
        "Courtesy carries what cannot be said.",
        "People say what they mean, or are polite for no reason.",
        "Some polite phrases hide annoyance, and the script points it out.",
        "The politest lines do the most harm or show the most love, and nobody names it.",
    ),
    JudgeAxis.GENRE_REGISTER_COLLISION: Anchors(
        "Two registers meet and neither gives way.",
        "One register throughout, or a parody that laughs at the other one.",
        "A second register enters for some jokes and leaves again.",
        "Two ways of speaking, each consistent in itself, share whole scenes, and both are taken seriously.",
    ),
    JudgeAxis.SURPRISE_AT_SPECIFICITY: Anchors(
        "Details that nobody would have guessed, and that are exactly right.",
        "Nouns could be swapped for others of their kind.",
        "Some details are particular, but are decoration.",
        "Again and again a detail is odd, true to its speaker, and funnier than its category.",
    ),
    JudgeAxis.TONAL_DUALITY: Anchors(
        "Funny and sad in the same line.",
        "Jokes in one place, feeling in another, or only one of the two.",
        "One or two lines hold both.",
        "The lines that get the laugh are the ones that hurt, and the script does not explain them.",
    ),
    JudgeAxis.RE_LISTENABILITY: Anchors(
        "A second hearing finds more.",
        "Everything is used up at the first hearing.",
        "A second hearing finds a few prepared jokes.",
        "Knowing the end, early lines have another meaning that was audible all along.",
    ),
    JudgeAxis.VOICE_VIOLATIONS: Anchors(
        "10 where nobody breaks their own voice by accident; lower with every line that anybody could have said.",
        "Lines could be given to other characters and nobody would notice.",
        "Characters are distinct, and slip into one common voice several times.",
        "One slip at most; each line could be given to its speaker without the name.",
    ),
    JudgeAxis.CULTURAL_ANCHORING: Anchors(
        "It lives in one particular shared culture.",
        "It could be set anywhere.",
        "Place and time are named and seldom matter.",
        "Institutions, habits and phrases of one culture drive what happens, and are known from inside.",
    ),
}
"""The eleven axes in the order of the first repeat."""


def axis_order(axes: Sequence[AxisName], index: int) -> tuple[AxisName, ...]:
    """The axes in the order that repeat `index` (from 0) shows: turned by one place a repeat.

    A judge's scores depend on the order of a list; with the order turned, no axis is always first.
    """
    start = index % len(axes)
    return (*axes[start:], *axes[:start])


def axis_lines(rubric: Mapping[AxisName, Anchors], order: Sequence[AxisName]) -> str:
    """The rubric as text, one paragraph an axis, in the order given."""
    return "\n\n".join(
        f"{number}. {axis}: {anchors.meaning}\n   2: {anchors.two}\n   5: {anchors.five}\n   8: {anchors.eight}"
        for number, axis in enumerate(order, 1)
        for anchors in (rubric[axis],)
    )
