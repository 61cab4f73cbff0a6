"""The options of decoding: the values that each may have; `DecoderOptions`, for signatures that pass them on;
and `Options`, the values themselves, behind the signatures that spell them out."""

from typing import Any, Literal, NamedTuple, TypedDict

from feedcharset.decide.published_tables import Policy
from feedcharset.evidence.detector import LOOKAHEAD, Detector

Errors = Literal["strict", "replace", "space", "latin-1", "windows-1252"]
Declaration = Literal["blank", "keep"]
Mojibake = Literal["keep", "fix"]
XmlChars = Literal["keep", "replace", "space", "drop"]

RepairErrors = Literal["windows-1252", "latin-1", "space", "replace"]
"""`errors=` of `repair`, which never raises because of the data."""
Cesu8 = Literal["keep", "join"]
"""`cesu8=` of `repair`."""


class DecoderOptions(TypedDict, total=False):
    """The options that `decode`, `XmlDecoder` and `XmlReader` have in common."""

    lenient: bool
    policy: Policy
    encoding: str | None
    default_encoding: str | None
    errors: Errors | None
    declaration: Declaration
    mojibake: Mojibake
    xml_chars: XmlChars
    detector: Detector | None
    lookahead: int


class Options(NamedTuple):
    """The options of one document, as the rooms behind the signatures pass them on."""

    lenient: bool = True
    policy: Policy = "rfc3023"
    encoding: str | None = None
    default_encoding: str | None = None
    errors: Errors = "windows-1252"
    """Never None: the default depends on `lenient`."""
    declaration: Declaration = "blank"
    mojibake: Mojibake = "keep"
    xml_chars: XmlChars = "keep"
    detector: Detector | None = "letters"
    lookahead: int = LOOKAHEAD


def check_option(name: str, value: str, kind: Any) -> None:
    """Refuse an option's value that is not one of those of its type, a `Literal`.

    Raises:
        ValueError: lists them.
        ImportError: mojibake="fix" without ftfy, which fixes it.
    """
    known: tuple[str, ...] = kind.__args__  # `typing.get_args` takes ten times as long
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; pass one of {', '.join(map(repr, known))}")
    if name == "mojibake" and value == "fix" and not has_ftfy():
        raise ModuleNotFoundError("mojibake='fix' needs ftfy: pip install ftfy", name="ftfy")


def check_number(name: str, value: int, of: str, least: int = 0) -> None:
    """Refuse an option that is no number of something, or too small.

    Raises:
        TypeError, ValueError: say what to pass.
    """
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a number of {of}, an int; not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} is {value}; pass a number of {of}, {least} or more")


def has_ftfy() -> bool:
    """Return True where ftfy is installed, and what it brings; it is not imported."""
    from importlib.util import find_spec

    return None not in map(find_spec, ("ftfy", "wcwidth"))
