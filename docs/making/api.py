"""reference/api.md: every public name, from its signature and its docstring."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, get_args

import feedcharset
from feedcharset import results
from feedcharset.parsing import element_iterator
from feedcharset.reading import sources, utf8_stream
from making.docstrings import attribute_docs, instance_docs, markdown

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GROUPS", "page"]

GROUPS: dict[str, tuple[str, ...]] = {
    "Reading": ("XmlReader", "Utf8Stream", "ResponseInfo", "decode", "XmlDecoder", "resolve", "Limits"),
    "Parsing": ("parse", "iterparse", "ElementIterator"),
    "Data without labels": ("detect", "repair", "repair_stream"),
    "Publishing": ("check",),
    "Results": (
        "Resolution",
        "Facts",
        "Step",
        "Repairs",
        "Decoded",
        "Repaired",
        "Detection",
        "Recovery",
        "Report",
        "Finding",
        "Reading",
    ),
    "What the facts hold": ("Body", "Utf8Count", "Damage", "SequenceCount"),
    "Errors": (
        "FeedcharsetError",
        "ResolutionError",
        "EncodingConflict",
        "NotXmlMediaType",
        "UnknownEncoding",
        "DecodeError",
        "FetchError",
        "TooLarge",
        "DeadlineExceeded",
        "TooManyRedirects",
        "TruncatedBody",
        "AddressRefused",
        "HTTPStatusError",
    ),
}

HEAD = """\
# API

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

The names of `feedcharset.__all__` are public, and no others. Types that public functions return without being
listed there (`Utf8Stream`, `ElementIterator`, `Body` and its parts) are described here, too.

Results are named tuples: frozen, typed, picklable. Exceptions pickle, without their stream. The logger is
`feedcharset`: one line at DEBUG for each decision, one at INFO for what `parse` and `iterparse` repaired.
"""

WIDTH = 90


def page() -> str:
    """The page."""
    parts = [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [_entry(name, _found(name)) for name in names]
    return "\n".join(parts)


def _found(name: str) -> Any:
    homes = (feedcharset, results, element_iterator, sources, utf8_stream)
    return next(getattr(home, name) for home in homes if hasattr(home, name))


def _entry(name: str, value: Any) -> str:
    if not inspect.isclass(value):
        return f"### {name}\n\n{_signature(name, value)}\n\n{markdown(value.__doc__)}\n"
    if issubclass(value, BaseException):
        return _exception(name, value)
    if issubclass(value, tuple):
        return _named_tuple(name, value)
    return f"### {name}\n\n{_signature(name, value)}\n\n{markdown(value.__doc__)}\n\n{_members(name, value)}"


def _exception(name: str, cls: type[BaseException]) -> str:
    bases = ", ".join(f"`{base.__name__}`" for base in cls.__bases__)
    return f"### {name}\n\nDerived from {bases}.\n\n{markdown(cls.__doc__ or '')}\n"


def _named_tuple(name: str, cls: Any) -> str:
    docs = attribute_docs(cls)
    rows = [
        f"| `{field}` | `{_type_of(cls, field)}` | {_default(cls, field)} | {docs.get(field, '')} |"
        for field in cls._fields
    ]
    table = "\n".join(["| field | type | default | |", "|---|---|---|---|", *rows])
    members = _members(name, cls)
    return f"### {name}\n\n{markdown(cls.__doc__)}\n\n{table}\n" + (f"\n{members}" if members else "")


def _type_of(cls: Any, field: str) -> str:
    annotation = next(base.__annotations__[field] for base in cls.__mro__ if field in base.__annotations__)
    name = getattr(annotation, "__forward_arg__", annotation)
    choices = get_args(getattr(results, name, None))
    return (" | ".join(map(repr, choices)) or name).replace("|", r"\|")


def _default(cls: Any, field: str) -> str:
    if "__new__" in vars(cls) and cls.__name__ == "Limits":
        return f"`{inspect.signature(cls).parameters[field].default!r}`"
    default = cls._field_defaults.get(field, "")
    return (
        ""
        if field not in cls._field_defaults
        else "`Body()`"
        if default == results.Body()
        else f"`{default!r}`"
    )


def _members(name: str, cls: type) -> str:
    """The public methods and properties that the class itself defines, in its order."""
    parts = [f"#### {name}.{field}\n\n{doc}\n" for field, doc in instance_docs(cls).items()]
    for member, value in vars(cls).items():
        if member.startswith("_") or member in getattr(cls, "_fields", ()):
            continue
        if isinstance(value, property):
            parts.append(f"#### {name}.{member}\n\n`{_returns(value.fget)}`\n\n{_doc(value)}\n")
        elif isinstance(value, classmethod) or inspect.isfunction(value):
            bound = getattr(cls, member)
            parts.append(f"#### {name}.{member}\n\n{_signature(member, bound)}\n\n{_doc(bound)}\n")
    return "\n".join(parts)


def _doc(value: Any) -> str:
    return markdown(value.__doc__ or inspect.getdoc(value) or "")


def _returns(function: Any) -> str:
    return str(function.__annotations__["return"])


def _signature(name: str, value: Any) -> str:
    signature = inspect.signature(value)
    words = list(_words([p for p in signature.parameters.values() if not p.name.startswith("_")]))
    returned = signature.return_annotation
    arrow = "" if inspect.isclass(value) or returned is inspect.Signature.empty else f" -> {returned}"
    text = f"{name}({', '.join(words)}){arrow}"
    if len(text) > WIDTH:
        text = "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){arrow}"])
    return f"```text\n{text}\n```"


def _words(parameters: list[inspect.Parameter]) -> Iterator[str]:
    """The parameters as they stand in a signature, with the marks between them."""
    before = None
    for parameter in parameters:
        if parameter.name == "self":
            continue
        if before == parameter.POSITIONAL_ONLY != parameter.kind:
            yield "/"
        if parameter.kind == parameter.KEYWORD_ONLY != before and before != parameter.VAR_POSITIONAL:
            yield "*"
        before = parameter.kind
        yield _word(parameter)
    if before == inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


def _word(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = f"{stars}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    if parameter.default is not parameter.empty:
        default = "Limits()" if isinstance(parameter.default, feedcharset.Limits) else repr(parameter.default)
        text += f" = {default}"
    return text
