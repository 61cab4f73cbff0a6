"""The prepared decision for clean legacy text is the one that the chain makes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedcharset.charsets.decoders import decode_clean
from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.legacy_answer import legacy_answer
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.opening import conclude, open_document
from feedcharset.evidence.damaged_utf8 import bound_utf8, measure_utf8
from feedcharset.evidence.window import Window

TEXTS = {
    "windows-1251": "Ученики «впервые» увидели море, и лес. ",
    "ISO-8859-1": "Les élèves de première année ont été reçus. ",
    "ISO-8859-9": "Öğrenciler ilk kez gördüler. ",
    "windows-1253": "Οι μαθητές της πρώτης τάξης είδαν τη θάλασσα. ",
    "TIS-620": "นักเรียนเห็นทะเล ",
    "Shift_JIS": "一年生の子供たちは初めて海を見た。",
    "GBK": "新华社北京电：今年的经济增长超过预期。",
    "EUC-KR": "일학년 학생들은 처음으로 바다를 보았다. ",
}
LABELS = [*TEXTS, "GB2312", "windows-1252", "ISO-8859-3", "US-ASCII", "UTF-8", "utf-16", "x-unknown"]
CONTENT_TYPES = [None, "", "text/xml", "application/xml", "text/html", "text/xml; charset={}"]


@given(
    st.sampled_from(list(TEXTS)),
    st.sampled_from(LABELS),
    st.sampled_from(LABELS),
    st.sampled_from(CONTENT_TYPES),
    st.sampled_from(["rfc3023", "rfc7303"]),
)
@settings(max_examples=400, deadline=None)
def test_it_is_what_the_chain_concludes(
    name: str, declared: str, charset: str, content_type: str | None, policy: str
) -> None:
    """Where there is a prepared decision, and the window is what it is for, the chain decides alike."""
    declaration = f"<?xml version='1.0' encoding='{declared}'?>".encode()
    field = content_type and content_type.format(charset)
    answer = legacy_answer(declaration, field, policy)
    window = (TEXTS[name] * 30).encode(by_name(name).codec or "")
    bounds = bound_utf8(window, measure_utf8(window, True))
    if answer is None or bounds is None or (answer.without_sequences and bounds.sequences):
        return
    if decode_clean(answer.charset, window) is None:
        return
    facts = open_document(declaration, field, policy=policy).decision.facts
    at = len(declaration)
    found = answer.resolved(at, bounds)
    assert found == conclude(facts, at, Window(window, ends=True), policy=policy)
    assert replay(found.facts, policy=policy)[:3] == found[:3]


@pytest.mark.parametrize("label", TEXTS)
def test_a_label_of_a_legacy_charset_has_one(label: str) -> None:
    declaration = f"<?xml version='1.0' encoding='{label}'?>".encode()
    answer = legacy_answer(declaration, "application/xml", "rfc3023")
    assert answer is not None
    assert answer.charset == lookup(label)
    assert answer.without_sequences == label.startswith("ISO-8859")


@pytest.mark.parametrize(
    ("declaration", "content_type"),
    [
        (b"<?xml version='1.0' encoding='UTF-8'?>", None),
        (b"<?xml version='1.0'?>", "text/xml"),
        (b"<a", None),
        (b"<?xml version='1.0' encoding='US-ASCII'?>", None),
        (b"<?xml version='1.0' encoding='ISO-2022-JP'?>", None),
        (b"\xef\xbb\xbf<?xml version='1.0' encoding='windows-1251'?>", "text/xml; charset=windows-1251"),
        # 85 is a line end in XML 1.1.
        (b"<?xml version='1.1' encoding='ISO-8859-2'?>", None),
        # Which of the two can be true is not known before the characters are counted.
        (b"<?xml version='1.0' encoding='GBK'?>", "text/xml; charset=windows-1252"),
        (b"<?xml version='1.0' encoding='windows-1251'?>", "text/xml; charset=ISO-8859-1"),
    ],
)
def test_others_need_more_counts(declaration: bytes, content_type: str | None) -> None:
    assert legacy_answer(declaration, content_type, "rfc3023") is None


def test_a_charset_that_is_refused_after_it_decoded_is_not_the_answer() -> None:
    """windows-1255 decodes, but its label is only the server's; the declaration's charset wins."""
    declaration = b"<?xml version='1.0' encoding='GBK'?>"
    for charset in ("windows-1255", "ISO-8859-3", "windows-1257"):
        answer = legacy_answer(declaration, f"text/xml; charset={charset}", "rfc3023")
        assert answer is None or answer.charset == by_name(charset)
