"""What a run of `feedcharset batch` counts: encodings, rules, repairs, errors, and labels that were wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from feedcharset.batch.row_conditions import host_of
from feedcharset.charsets.lookup import lookup
from feedcharset.evidence.bom import sniff_bom
from feedcharset.evidence.content_type import parse_content_type
from feedcharset.evidence.declaration import guess_family, read_declaration

__all__ = ["HOST_LIMIT", "Labels", "Tally", "labels_of"]

HOST_LIMIT = 100_000
"""Hosts of which errors and wrong labels are counted; more are counted together. A host takes 200 bytes."""

LABEL_LIMIT = 40
"""Characters of a label that are counted: longer ones are no names of charsets."""

HEAD_LIMIT = 512
"""Bytes in which a declaration ends, in UTF-16, too: the longest in use have fewer than 200 characters."""

OTHER_HOSTS = "(other hosts)"

_FIGURES = re.compile(r"[0-9]++(?:[.:][0-9]++)*+|'[^']*+'")

Labels = tuple[str | None, str | None]
"""The labels of a document: of the Content-Type, and of the declaration."""


def labels_of(head: bytes, content_type: str | None) -> Labels:
    """The labels that a document carries, as written."""
    return _header_label(content_type), _declared_label(head[: head.find(b">", 0, HEAD_LIMIT) + 1])


@lru_cache(maxsize=1024)
def _header_label(content_type: str | None) -> str | None:
    """The label in a header, which is the same for many documents."""
    return parse_content_type(content_type, lenient=True).charset if content_type else None


@lru_cache(maxsize=1024)
def _declared_label(head: bytes) -> str | None:
    """The label in the bytes up to the first `>`, which are the same in many documents."""
    at = sniff_bom(head)[1]
    family = guess_family(head, at)
    declaration = read_declaration(head, family, at) if family else None
    return declaration.encoding if declaration else None


@lru_cache(maxsize=4096)
def _is_wrong(label: str, encoding: str) -> bool:
    """Whether a label names another charset than the one that was used."""
    charset, used = lookup(label, lenient=True), lookup(encoding, lenient=True)
    if charset is None or used is None:
        return True
    generic = charset.name in ("UTF-16", "UTF-32") and used.name.startswith(charset.name)
    return charset.name != used.name and not generic


@dataclass
class Tally:
    """Counts; those of several pieces of work can be added."""

    documents: int = 0
    nulls: int = 0
    """Rows without a body."""
    body_bytes: int = 0
    repaired: int = 0
    """Documents in which something was repaired."""
    repairs: int = 0
    encodings: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    """By their sentence, figures and quotations left out."""
    wrong_labels: Counter[str] = field(default_factory=Counter)
    """ "declared ISO-8859-1, is UTF-8"."""
    hosts: dict[str, list[int]] = field(default_factory=dict)
    """Of hosts with one of them: documents with a wrong label, repaired ones, errors."""
    host_labels: dict[str, str] = field(default_factory=dict)
    """The first wrong label of a host."""

    def add(self, row: Mapping[str, Any], labels: Labels, size: int) -> None:
        """Count a row of the output."""
        self.documents += 1
        self.body_bytes += size
        error, encoding, repairs = row["error"], row["encoding"], row["repairs"]
        if error is not None:
            self.errors[_FIGURES.sub("...", error)[:200]] += 1
        elif encoding is None:
            self.nulls += 1
            return
        else:
            self.encodings[encoding] += 1
            self.rules[row["rule"]] += 1
            self.repaired += repairs > 0
            self.repairs += repairs
        wrong = self._count_labels(labels, encoding) if error is None else None
        if wrong or repairs or error is not None:
            counts = int(wrong is not None), int(bool(repairs)), int(error is not None)
            self._count_host(host_of(row.get("url")), counts, wrong)

    def _count_labels(self, labels: Labels, encoding: str) -> str | None:
        """Count the wrong labels, and give the first."""
        first = None
        for label, place in zip(labels, ("Content-Type", "declared"), strict=True):
            if label and _is_wrong(label, encoding):
                wrong = f"{place} {label[:LABEL_LIMIT]}, is {encoding}"
                self.wrong_labels[wrong] += 1
                first = first or wrong
        return first

    def _count_host(self, host: str, counts: Iterable[int], wrong: str | None) -> None:
        if not host:
            return
        if host not in self.hosts and len(self.hosts) >= HOST_LIMIT:
            host = OTHER_HOSTS
        self.hosts[host] = [a + b for a, b in zip(self.hosts.get(host, [0, 0, 0]), counts, strict=True)]
        if wrong is not None and host != OTHER_HOSTS:
            self.host_labels.setdefault(host, wrong)

    def merge(self, other: Tally) -> None:
        """Add the counts of another piece of work."""
        for name in ("documents", "nulls", "body_bytes", "repaired", "repairs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("encodings", "rules", "errors", "wrong_labels"):
            getattr(self, name).update(getattr(other, name))
        for host, counts in other.hosts.items():
            self._count_host(host, counts, other.host_labels.get(host))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Tally:
        """The tally that `as_dict` was made of."""
        counters = ("encodings", "rules", "errors", "wrong_labels")
        return cls(**{**values, **{name: Counter(values[name]) for name in counters}})
