"""Are these two written names one person? The strict matcher, and what is built on it.

A bare first name, a bare surname or a shared title is never proof. Pure: text in, a strength out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from voxint_contracts.common.v1 import MatchStrength
from voxint_contracts.name_accuracy.v1 import AliasTable

from voxint.text import agrees, is_abstention, norm_channel, normal_form, outline, without_tags, words


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HONORIFICS = _listed(
    "dr mr mrs ms miss mx prof professor rev fr sir dame lord lady hon judge sen rep gov pres capt col gen lt sgt maj"
)
_GENERATIONS = _listed("jr sr ii iii iv")
_DEGREES = _listed("phd md dds dvm jd esq mba msc bsc ba obe mbe cbe kbe qc kc rn cpa")
_SUFFIXES = _GENERATIONS | _DEGREES
_DOTTED = _DEGREES | {"ma"}
_AFTER_COMMA = _SUFFIXES | _HONORIFICS | {"ma"}
_SURNAMES_TOO = _listed("ba kc")
_ROLES = _listed(
    "host cohost co-host guest moderator narrator presenter interviewer interviewee reporter correspondent"
    " producer editor anchor announcer panelist panellist speaker chair chairman chairwoman president"
    " director founder author ceo cfo cto"
)
_NO_WORD = " m'-.,&/()"
_MOST_TOKENS = 64  # More words are nobody's name, and would take quadratic time to compare.
_MATCHES = (MatchStrength.ID, MatchStrength.ALIAS, MatchStrength.EXACT, MatchStrength.SURNAME_GIVEN)


@dataclass(frozen=True, slots=True)
class NameForm:
    """One name as the matcher reads it.

    `normal` is the normal form. `spellings` are it and, where that differs, the name without final tags and
    with an inverted form put right: what an alias table is searched for. `tokens` are what remains without
    honorifics, suffixes, degrees and roles; `generations` the generational suffixes that were dropped.
    `is_joint` says that the text names more than one person.
    """

    normal: str
    spellings: tuple[str, ...]
    tokens: tuple[str, ...]
    generations: frozenset[str]
    is_joint: bool


@dataclass(frozen=True, slots=True)
class AliasIndex:
    """The entries of an alias table by member, so that a look-up costs the same whatever the table's size."""

    numbers: Mapping[str, frozenset[int]]

    @classmethod
    def of(cls, table: "Aliases") -> "AliasIndex":
        """The index of a table or of a plain mapping; an index is returned as it is.

        A key is a member of its own entry. Entries that share a member stay apart. Blanks are left out.
        """
        if isinstance(table, AliasIndex):
            return table
        entries = table if isinstance(table, Mapping) else table.aliases
        numbers: dict[str, set[int]] = {}
        for number, (key, others) in enumerate(entries.items()):
            for member in (key, *_one_or_many(others)):
                for spelling in name_form(member).spellings:
                    numbers.setdefault(spelling, set()).add(number)
        return cls({spelling: frozenset(found) for spelling, found in numbers.items() if spelling})

    def entries(self, form: NameForm) -> frozenset[int]:
        """The numbers, in table order from 0, of the entries that hold the name; empty if none does."""
        return frozenset[int]().union(*(self.numbers.get(spelling, ()) for spelling in form.spellings))


Aliases: TypeAlias = AliasTable | AliasIndex | Mapping[str, Iterable[str]]


def person_name_match(
    a: str | None,
    b: str | None,
    *,
    aliases: Aliases | None = None,
    id_a: str | None = None,
    id_b: str | None = None,
) -> MatchStrength:
    """How strongly two names are shown to be one person; symmetric. The first that holds decides.

    - `id`: both ids are non-empty and equal. Different ids say nothing.
    - `alias`: one alias entry holds both. Pass an `AliasIndex` where many names meet one table.
    - `exact`: equal normal forms, final tags, apostrophes and the inverted form aside.
    - `surname_given`: equal surnames, given names equal or abbreviated, nothing contradictory in between.
    - `weak`: a single token that the other name contains. Never a match.
    - `none`: all else; also, but for the ids, a null or blank name. A name without letters and numbers has no
      tokens, and is like its exact self only.

    Placeholders are compared like any text: `voxint.text.is_abstention` says whether a slot abstains.

    >>> person_name_match("Fox, Dana M., PhD", "D. Fox").value
    'surname_given'
    """
    if id_a and id_a == id_b:
        return MatchStrength.ID
    left, right = name_form(a or ""), name_form(b or "")
    if not (left.normal and right.normal):
        return MatchStrength.NONE
    if aliases is not None and _is_alias(AliasIndex.of(aliases), left, right):
        return MatchStrength.ALIAS
    if _is_exact(left, right):
        return MatchStrength.EXACT
    if _is_surname_given(left, right):
        return MatchStrength.SURNAME_GIVEN
    return MatchStrength.WEAK if _holds(left, right) or _holds(right, left) else MatchStrength.NONE


def is_match(strength: MatchStrength) -> bool:
    """Whether a strength counts as the same person: id, alias, exact and surname_given do."""
    return strength in _MATCHES


def curated_hits(names: Iterable[str | None], hosts: Iterable[str], *, aliases: Aliases | None = None) -> list[str]:
    """The hosts that some name matches, each once, in host order.

    Names that abstain (null, blank, placeholders) match no host. Empty if there are no names or no hosts.
    """
    shown = [name for name in names if not is_abstention(name)]
    index = None if aliases is None else AliasIndex.of(aliases)
    return [
        host
        for host in dict.fromkeys(hosts)
        if any(is_match(person_name_match(name, host, aliases=index)) for name in shown)
    ]


def is_overnaming(
    host: str | None, channel: str | None, home_channels: Mapping[str, Iterable[str]] | Iterable[str]
) -> bool:
    """Whether a curated host was named on a channel that is none of the host's own.

    `home_channels` is a table of the curated hosts' channels (a host that it does not list is not curated and
    never flagged; keys are compared by normal form) or the channels of this one host. Channels are compared
    by `norm_channel`. A channel that is null, blank, without word characters or a placeholder ("unknown ...")
    is not known and never flagged; nor is a host that is an abstention. A host without a home is off it
    everywhere.
    """
    if is_abstention(host) or is_abstention(channel):
        return False
    here = norm_channel(channel or "")
    homes = _homes(normal_form(host or ""), home_channels)
    return bool(here) and homes is not None and here not in {norm_channel(home) for home in homes}


def _homes(host: str, channels: Mapping[str, Iterable[str]] | Iterable[str]) -> Iterable[str] | None:
    if not isinstance(channels, Mapping):
        return _one_or_many(channels)
    return next((_one_or_many(homes) for key, homes in channels.items() if normal_form(key) == host), None)


def _one_or_many(texts: Iterable[str]) -> Iterable[str]:
    return [texts] if isinstance(texts, str) else texts


@lru_cache(maxsize=1 << 14)
def name_form(text: str) -> NameForm:
    """The name as the matcher reads it. Blank text and text without letters or numbers have no tokens.

    Inverted is what has two comma parts, once the parts that are wholly suffixes, degrees, honorifics or a
    role are gone ("Fox, Dana M., PhD"). More than two such parts are a list of people.
    """
    normal = normal_form(text)
    simple = normal.replace(". ", " ").removesuffix(".")
    # Nothing but words, each with a full stop at most: what the general way would find, only faster.
    if simple.isascii() and simple.replace(" ", "").isalnum():
        return _joined(normal, (normal,), [simple.split()], [], is_joint=False)
    shape = outline(normal)
    plain, shape = without_tags(normal, shape) if "(" in shape else (normal, shape)
    return _by_commas(normal, plain, shape)


def _by_commas(normal: str, plain: str, shape: str) -> NameForm:
    parts: list[list[str]] = []
    texts: list[str] = []
    dropped: list[str] = []
    start, is_joint = 0, False
    for piece in shape.split(","):
        text = plain[start : start + len(piece)]
        start += len(piece) + 1
        part = _undotted(words(text, piece))
        if parts and _is_title_part(part):
            dropped += (word.replace(".", "") for word in part)
        elif part:
            parts.append(part)
            texts.append(text)
            is_joint = is_joint or "&" in piece or "/" in piece.strip(_NO_WORD)
    is_inverted = len(parts) == 2
    read = " ".join(texts[::-1] if is_inverted and not dropped else [plain])
    spellings = tuple(dict.fromkeys((normal, " ".join(read.split()))))
    return _joined(normal, spellings, parts[::-1] if is_inverted else parts, dropped, is_joint=is_joint)


def _joined(
    normal: str, spellings: tuple[str, ...], parts: list[list[str]], dropped: list[str], *, is_joint: bool
) -> NameForm:
    for part in parts:
        dropped += _drop_titles(part)
    left = [word for part in parts for word in part]
    return NameForm(
        normal=normal,
        spellings=spellings,
        tokens=tuple(token for word in left for token in word.replace("'", "").split(".")),
        generations=_GENERATIONS.intersection(dropped) if dropped else frozenset(),
        is_joint=is_joint or len(parts) > 2 or "and" in left,
    )


def _undotted(found: list[str]) -> list[str]:
    whole = [[word] if word.replace(".", "") in _DOTTED else word.split(".") for word in found]
    return [word for pieces in whole for word in pieces]


def _is_title_part(part: list[str]) -> bool:
    bare = [word.replace(".", "") for word in part]
    return _AFTER_COMMA.issuperset(bare) or bare[0] in _ROLES or bare == ["ph", "d"]


def _drop_titles(part: list[str]) -> list[str]:
    dropped = []
    while len(part) > 1 and part[0] in _HONORIFICS:
        dropped.append(part.pop(0))
    while len(part) > 1:
        if part[-2:] == ["ph", "d"] and len(part) > 2:
            part[-2:] = ["phd"]
        last = part[-1].replace(".", "")
        if last not in _SUFFIXES or (last in _SURNAMES_TOO and len(part) == 2):
            break
        dropped.append(last)
        part.pop()
    return dropped


def _is_alias(index: AliasIndex, a: NameForm, b: NameForm) -> bool:
    is_shared = not index.entries(a).isdisjoint(index.entries(b))
    return is_shared and _has_words(a) and _has_words(b)


def _is_exact(a: NameForm, b: NameForm) -> bool:
    if a.normal == b.normal:
        return True
    left = {spelling.replace("'", "") for spelling in a.spellings}
    return _has_words(a) and any(spelling.replace("'", "") in left for spelling in b.spellings)


def _has_words(form: NameForm) -> bool:
    return any(map(str.isalnum, form.normal))


def _is_surname_given(a: NameForm, b: NameForm) -> bool:
    is_name = 2 <= len(a.tokens) <= _MOST_TOKENS and 2 <= len(b.tokens) <= _MOST_TOKENS
    if not is_name or a.is_joint or b.is_joint:
        return False
    if a.generations and b.generations and a.generations != b.generations:
        return False
    left, right = a.tokens, b.tokens
    if "-" in a.normal or "-" in b.normal:
        left, right = _split_hyphens(left, right), _split_hyphens(right, left)
    if left[-1] != right[-1] or not agrees(left[0], right[0]):
        return False
    return _within(left[1:-1], right[1:-1]) or _within(right[1:-1], left[1:-1])


def _split_hyphens(tokens: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    split: list[str] = []
    for token in tokens:
        parts = tuple(token.split("-"))
        width = len(parts)
        is_apart = width > 1 and any(other[at : at + width] == parts for at in range(len(other)))
        split += parts if is_apart else (token,)
    return tuple(split)


def _within(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    rest = iter(many)
    return all(any(agrees(token, candidate) for candidate in rest) for token in few)


def _holds(single: NameForm, other: NameForm) -> bool:
    if len(single.tokens) != 1 or not 1 <= len(other.tokens) <= _MOST_TOKENS:
        return False
    token = single.tokens[0]
    if token in other.tokens or len(_split_hyphens(single.tokens, other.tokens)) > 1:
        return True
    return "h" in outline(token) and token in "".join(other.tokens)
