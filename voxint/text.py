"""Written names as comparable text: the normal form, the shape of a name, the sentinels, what names nobody.

Lowest layer: imports nothing of ours. Sources: UAX #15 (normalization forms), UAX #44 (general categories,
Default_Ignorable_Code_Point), UAX #24 (scripts), UTS #18 annex C (word characters), and the Unicode Standard,
section 3.13 (caseless matching).

Python 3.11 to 3.13 (Unicode 14.0 to 15.1) give the same results: what Unicode 15.0 added to rare scripts (Kawi,
Nag Mundari, Cyrillic modifier letters, ...) is a letter on all of them, and is never normalized.
"""

import re
from functools import lru_cache
from itertools import groupby
from unicodedata import category, combining, normalize

ABSTAIN = "__ABSTAIN__"
NEITHER = "__NEITHER_DETERMINABLE__"

# Default_Ignorable_Code_Point of DerivedCoreProperties.txt, which Python does not expose; equal in Unicode
# 14.0 and 17.0. Reserved code points are in it, visible format characters (U+0600, U+110BD, U+FFF9, ...) are
# not.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Letters, marks and digits of Unicode 15.0 that Python 3.11 does not know.
_SINCE_15 = re.compile(
    "([\u0cf3\u0ece\U00010efd-\U00010eff\U0001123f-\U00011241\U00011f00-\U00011f10\U00011f12-\U00011f3a"
    "\U00011f3e-\U00011f42\U00011f50-\U00011f59\U0001342f\U00013440-\U00013455\U0001b132\U0001b155"
    "\U0001d2c0-\U0001d2d3\U0001df25-\U0001df2a\U0001e030-\U0001e06d\U0001e08f\U0001e4d0-\U0001e4f9]+)"
)
_VARIANTS = str.maketrans("\u2019\u02bc\uff07\u2010\u2011\u2012\u2013\uff0d", "'''-----")
_DOTTED_I = re.compile("i\u0307+")

_WHOLE_LETTER = re.compile(
    "[\u1100-\u11ff\u3005-\u3007\u3041-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U0001aff0-\U0001b16f]"
)
_IDEOGRAPHIC_PLANES = range(0x20000, 0x40000)
_OPENING = "([{<\u27e8\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u27e6\u27ea\u2985"
_CLOSING = ")]}>\u27e9\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u27e7\u27eb\u2986"
_PUNCTUATION = {
    **{mark: mark for mark in "'-.,&"},
    **dict.fromkeys(";/+|", "/"),
    **dict.fromkeys(_OPENING, "("),
    **dict.fromkeys(_CLOSING, ")"),
}

_RUN = r"[ldh][ldhm]*(?:(?<=[lhm])['-](?=[lh])[ldhm]+)*"
_WORD = re.compile(rf"(?<![ldhm])m*{_RUN}(?:\.{_RUN})*")
_LETTER = re.compile(r"[lh]")
_INITIAL = re.compile(r"lm*")
_WORD_OR_COMMA = re.compile(r"[ldh,]")
_NO_BRACKETS = str.maketrans("(),", "   ")

_PLACEHOLDER_PREFIXES = ("speaker_", "auto_", "unknown")
_ANYBODY = {"speaker", "person", "guest", "host", "voice", "caller", "participant", "user"}
_ANYBODY |= {"male", "female", "man", "woman"}


_SHORT = 200


class _Kinds(dict[int, str]):
    """One character per code point, worked out at its first use."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(chr(code))
        return kind


def _kind(char: str) -> str:
    # Planes 2 and 3 are reserved for ideographs, those included that this Python does not know yet.
    if ord(char) in _IDEOGRAPHIC_PLANES:
        return "h"
    major = "L" if _SINCE_15.match(char) else category(char)[0]
    if major == "L":
        return "h" if _WHOLE_LETTER.match(char) else "l"
    return {"N": "d", "M": "m"}.get(major) or _PUNCTUATION.get(char, " ")


_KINDS = _Kinds()


def normal_form(text: str) -> str:
    r"""The spelling under which two names are compared.

    NFKC, casefold, NFKC; default-ignorable characters (zero-width, bidi marks, soft hyphen, BOM, variation
    selectors) removed; the dot that casefolding leaves on a Turkish I dropped; white space (U+0085, U+2028
    and U+00A0 too) folded to one space and stripped; the interchangeable apostrophes and hyphens made one.
    Diacritics stay. Empty for text without any visible character. Idempotent. Sources: UAX #15; UAX #44;
    toNFKC_Casefold (section 3.13), which removes the same characters.

    >>> normal_form("  Hans\u00a0GROSS ") == normal_form("Hans Gro\u00df")
    True
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # A dropped dot lets the accent behind it compose with the i: one pass is not always stable.
    while (folded := _fold(text)) != text:
        text = folded
    return text


def _fold(text: str) -> str:
    # Ignorables go first: one between a letter and its accent would keep them apart.
    visible = _IGNORABLE.sub("", text)
    folded = "".join(
        part if number % 2 else normalize("NFKC", normalize("NFKC", _ordered(part)).casefold())
        for number, part in enumerate(_SINCE_15.split(visible))
    )
    return " ".join(_DOTTED_I.sub("i", folded.translate(_VARIANTS)).split())


def _ordered(text: str) -> str:
    """A long text with its combining marks in canonical order: unicodedata's own sort takes quadratic time."""
    if len(text) <= _SHORT:
        return text
    apart = "".join(normalize("NFKD", char) for char in text)
    runs = groupby(apart, key=lambda char: combining(char) != 0)
    return "".join("".join(sorted(run, key=combining) if is_marks else run) for is_marks, run in runs)


def outline(form: str) -> str:
    """The kind of each character of a normal form, one for one.

    `l` a letter, `h` a letter that is a whole syllable or word (Han, Hangul, kana), `d` a number, `m` a
    combining mark; apostrophe, hyphen, full stop, comma and ampersand as they are; `/` for the other marks
    that stand between people (`;` `/` `+` `|`), `(` and `)` for every bracket; a space for all else. Sources:
    UAX #44, #24.
    """
    return form.translate(_KINDS)


def words(form: str, shape: str) -> list[str]:
    """The words of a normal form with this outline, in order; none for text without letters and numbers.

    Runs of letters, numbers and combining marks with at least one that is no mark; an apostrophe or hyphen
    between two letters belongs to its word, and so does a full stop with no space around it ("ph.d").
    """
    return [form[found.start() : found.end()] for found in _WORD.finditer(shape)]


def without_tags(form: str, shape: str) -> tuple[str, str]:
    """The form and its outline, with spaces where a bracketed tag ended a comma part; lengths do not change.

    Brackets nest, and any kind closes any; one that is never closed runs to the end. A bracket with no word
    before it, or with one behind it, is no tag: only its punctuation is blanked, in the outline.
    """
    letters, kinds = list(form), list(shape)
    first = _WORD.search(shape)
    is_last, limit = True, len(shape)
    for start, end in reversed(_groups(shape)):
        behind = _WORD_OR_COMMA.search(shape, end, limit)
        is_last = is_last if behind is None else behind[0] == ","
        is_last = is_last and first is not None and first.start() < start
        kinds[start:end] = shape[start:end].translate(_NO_BRACKETS)
        if is_last:
            letters[start:end] = kinds[start:end] = " " * (end - start)
        limit = start
    return "".join(letters), "".join(kinds)


def _groups(shape: str) -> list[tuple[int, int]]:
    groups, depth, start = [], 0, 0
    for at, kind in enumerate(shape):
        if kind == "(":
            start = at if depth == 0 else start
            depth += 1
        elif kind == ")" and depth:
            depth -= 1
            if depth == 0:
                groups.append((start, at + 1))
    return [*groups, (start, len(shape))] if depth else groups


def agrees(one: str, other: str) -> bool:
    """Whether two words are equal, or one is the initial of the other.

    An initial is one letter with its combining marks, with which the other begins. A syllable or ideograph (Han,
    Hangul, kana) is a name of its own and abbreviates nothing. Both are words of normal forms.
    """
    return one == other or _abbreviates(one, other) or _abbreviates(other, one)


def _abbreviates(short: str, long: str) -> bool:
    if not long.startswith(short) or not _INITIAL.fullmatch(outline(short)):
        return False
    return not outline(long[len(short) :]).startswith("m")


def identity_form(text: str) -> str:
    r"""The spelling under which two ids or tags are compared: NFC, without white space at its ends.

    Case, inner white space and invisible characters count: an id is opaque. Idempotent. Source: UAX #15.

    >>> identity_form(" caf\u0065\u0301-v1\n") == "caf\u00e9-v1"
    True
    """
    return text.strip() if text.isascii() else normalize("NFC", text).strip()


@lru_cache(maxsize=1 << 14)
def norm_channel(text: str) -> str:
    """The spelling under which two channels are compared: the word characters of the normal form, joined.

    Word characters are letters, numbers, combining marks and the low line (UTS #18, annex C). Empty when
    there is none. Idempotent.

    >>> norm_channel("The Fox-Hour, LIVE!")
    'thefoxhourlive'
    """
    form = normal_form(text)
    kinds = outline(form)
    joined = "".join(char for char, kind in zip(form, kinds, strict=True) if kind in "lhdm" or char == "_")
    return joined if joined == form else norm_channel(joined)


def is_abstention(name: str | None) -> bool:
    """Whether a display name names nobody: null, blank, `__ABSTAIN__` itself, or a placeholder.

    A placeholder's normal form starts with `speaker_`, `auto_` or `unknown`; that a person called Unknown
    Hinsdale cannot be shown is the price of the rule. Other spellings of the sentinel are names.
    """
    if name is None or name == ABSTAIN:
        return True
    form = normal_form(name)
    return not form or form.startswith(_PLACEHOLDER_PREFIXES)


def truth_fault(truth: str) -> str | None:
    """Why this text can be no truth, in one line; None for a person's name and for the two exact sentinels.

    Faults: blank; a misspelt sentinel, that is anything else whose normal form begins and ends with two low
    lines; a placeholder. "unknown" makes a truth a placeholder only where no further word follows that could
    name a person: "unknown", "Unknown_3" and "Unknown speaker 2" are faults, "Unknown Hinsdale" is a person.
    """
    if truth in (ABSTAIN, NEITHER):
        return None
    form = normal_form(truth)
    if not form:
        return "truth is blank"
    if form.startswith("__") and form.endswith("__"):
        return f"truth is a misspelt sentinel: expected exactly {ABSTAIN} or {NEITHER}"
    if form.startswith(_PLACEHOLDER_PREFIXES) and not _is_named_unknown(form):
        return "truth is a placeholder: expected a person's name"
    return None


def _is_named_unknown(form: str) -> bool:
    first, *others = words(form, outline(form))
    named = (word for word in others if _LETTER.search(outline(word)) and word not in _ANYBODY)
    return first == "unknown" and form[7:8] == " " and next(named, None) is not None
