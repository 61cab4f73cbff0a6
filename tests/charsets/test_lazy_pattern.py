"""Patterns are compiled, and values made, when they are first needed."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from feedcharset.charsets import lazy_pattern, lazy_value


@pytest.mark.parametrize(("pattern", "flags", "text"), [("(a)|b", 0, "cab"), ("X.", re.I | re.S, "ax\n")])
def test_it_gives_what_the_compiled_pattern_gives(pattern: str, flags: int, text: str) -> None:
    lazy, compiled = lazy_pattern(pattern, flags), re.compile(pattern, flags)
    for _ in range(2):
        assert [match.span() for match in lazy.finditer(text)] == [
            match.span() for match in compiled.finditer(text)
        ]
        assert lazy.sub("-", text) == compiled.sub("-", text)
    assert (lazy.pattern, lazy.groups) == (compiled.pattern, compiled.groups)
    assert pickle.loads(pickle.dumps(lazy)) == copy.deepcopy(lazy_pattern(pattern, flags)) == compiled


def test_a_pattern_of_bytes() -> None:
    assert lazy_pattern(rb"[\x80-\xff]++").findall(b"a\xe9\xe8") == [b"\xe9\xe8"]


def test_it_is_compiled_once_and_at_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    original = re.compile
    monkeypatch.setattr(re, "compile", lambda *arguments: compiled.append(arguments) or original(*arguments))
    pattern = lazy_pattern("[^a]")
    assert compiled == []
    assert [pattern.search("ab") is not None for _ in range(3)] == [True] * 3
    assert compiled == [("[^a]", 0)]


def test_an_invalid_pattern_fails_at_its_first_use() -> None:
    pattern = lazy_pattern("(")
    with pytest.raises(re.error):
        pattern.search("a")


class Counted:
    def __init__(self) -> None:
        self.calls = 0

    @lazy_value
    def value(self) -> object:
        """A value."""
        self.calls += 1
        return object()


def test_a_value_is_made_once_for_each_object() -> None:
    one, other = Counted(), Counted()
    assert one.calls == 0
    assert one.value is one.value
    assert one.value is not other.value
    assert (one.calls, other.calls) == (1, 1)
    assert vars(Counted)["value"].__doc__ == "A value."
