"""An order that spreads a selection evenly: by hash, so that it follows neither file, date nor name.

SHA-256: FIPS 180-4 (2015), doi:10.6028/NIST.FIPS.180-4.
"""

import hashlib
from collections.abc import Iterable


def spread_key(item_id: str) -> str:
    """SHA-256 of the UTF-8 id in lower-case hexadecimal: 64 digits, compared as text.

    Raises:
        ValueError: the id holds half of a surrogate pair, which has no UTF-8 form.

    >>> spread_key("abc")[:16]  # FIPS 180-4, example "abc"
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(item_id.encode()).hexdigest()


def spread_order(item_ids: Iterable[str]) -> list[str]:
    """The distinct ids by ascending `spread_key`: the same list for every order of the input. None gives none.

    Raises:
        ValueError: as `spread_key`.

    >>> spread_order(["a", "b", "c", "a"])
    ['c', 'b', 'a']
    """
    return sorted(set(item_ids), key=spread_key)
