"""Which voiceprint may judge which recording, and what an enrollment is refused for."""

from __future__ import annotations

import pytest
from naive_agreement import enrollment, thresholds, voiceprint

from voxint.harness.agreement_gallery import Gallery, Reason


def test_leakage_comes_before_weakness() -> None:
    gallery = Gallery.of(
        enrollment(
            weak=voiceprint(1, 0, items=2),
            fine=voiceprint(1, 1, items=3, sources=("ep-1",)),
            both=voiceprint(0, 1, items=0, held_out=False),
            source=voiceprint(0, 2, items=1, sources=("ep-1", "ep-2", "ep-1")),
        ),
        thresholds(min_enrollment_items=3),
    )
    assert gallery.hosts == ("both", "fine", "source", "weak")
    assert [gallery.fault(host, "ep-1") for host in range(4)] == [Reason.SESSION_LEAKAGE_RISK] * 3 + [
        Reason.WEAK_ENROLLMENT
    ]
    assert [gallery.fault(host, "ep-9") for host in range(4)] == [
        Reason.SESSION_LEAKAGE_RISK,
        None,
        Reason.WEAK_ENROLLMENT,
        Reason.WEAK_ENROLLMENT,
    ]
    assert gallery.usable == (1,)
    assert gallery.leaking("ep-1") == (1, 2)


@pytest.mark.parametrize("spelling", ["\u00e9p", "e\u0301p", " \u00e9p", "e\u0301p\n", "\u2003\u00e9p"])
@pytest.mark.parametrize("source", ["\u00e9p", "e\u0301p", "\u00e9p "])
def test_no_spelling_lets_a_leak_through(source: str, spelling: str) -> None:
    gallery = Gallery.of(enrollment(a=voiceprint(1, 0, sources=(source,))), thresholds())
    assert gallery.fault(0, spelling) is Reason.SESSION_LEAKAGE_RISK
    assert gallery.fault(0, spelling.upper()) is None


@pytest.mark.parametrize("spelling", ["h\u00f4te", "ho\u0302te", " h\u00f4te\n"])
def test_a_host_is_found_in_any_spelling(spelling: str) -> None:
    gallery = Gallery.of(enrollment(**{"a": voiceprint(1, 0), "ho\u0302te ": voiceprint(0, 1)}), thresholds())
    assert gallery.number(spelling) == 1
    assert (gallery.number(spelling.upper()), gallery.number(None)) == (None, None)


def test_hosts_that_are_one_host_are_refused() -> None:
    twice = {"h\u00f4te": voiceprint(1, 0), "ho\u0302te": voiceprint(0, 1)}
    with pytest.raises(ValueError, match=r'"ho.u0302te" is another spelling of "h.u00f4te"'):
        Gallery.of(enrollment(**twice), thresholds())


def test_an_enrollment_may_be_empty() -> None:
    gallery = Gallery.of(enrollment(), thresholds())
    assert (gallery.hosts, gallery.usable, len(gallery.usable_matrix)) == ((), (), 0)


def test_documents_that_a_reader_would_refuse_are_refused_here_too() -> None:
    with pytest.raises(ValueError, match=r"\$\.voiceprints\.a\.embedding: must have 2 numbers"):
        Gallery.of(enrollment(a=voiceprint(1, 0, 0)), thresholds())
    with pytest.raises(ValueError, match="all zero"):
        Gallery.of(enrollment(a=voiceprint(0, 0)), thresholds())
    with pytest.raises(ValueError, match="another spelling"):
        Gallery.of(enrollment(a=voiceprint(1, 0, sources=("x",)), b=voiceprint(1, 0, sources=("x ",))), thresholds())
    with pytest.raises(ValueError, match=r"\$\.low_band: must be at most tau"):
        Gallery.of(enrollment(), thresholds(tau=0.2))
