"""`decode_arrays`: columns of bodies and Content-Types in, one struct array out."""

from __future__ import annotations

from typing import Unpack

import pyarrow as pa

from feedcharset.batch.binary_values import BinaryValues, binary_values, check_body_type, is_large
from feedcharset.batch.content_types import ContentTypes, content_types
from feedcharset.batch.output_columns import OutputColumns
from feedcharset.batch.row_decoder import RowDecoder, too_large
from feedcharset.batch.row_limits import MAX_BYTES, RATIO, check_limits, check_options
from feedcharset.text.options import DecoderOptions

__all__ = ["append_rows", "decode_arrays", "row_decoder"]


def decode_arrays(
    body: pa.Array | pa.ChunkedArray,
    content_type: pa.Array | pa.ChunkedArray | str | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    ratio: int = RATIO,
    **options: Unpack[DecoderOptions],
) -> pa.StructArray:
    """Decode a column of documents.

    Args:
        body: the documents as received: binary, large_binary, binary_view, or a dictionary of one of them.
            A body that is gzip is unpacked.
        content_type: the Content-Type field's values, one for each body; a str: the same for all; None: the
            transport said nothing.
        max_bytes: bytes of one body, packed or unpacked.
        ratio: bytes out for each byte of gzip in, after the first MiB.
        options: those of `decode`.

    Returns:
        A struct for each row, with the fields of `SCHEMA`: text, encoding, rule, repairs, error. A null body
        and an empty one give nulls. What cannot be decoded (too large, a gzip bomb, refused with
        lenient=False) has null text and an error. `text` is large_string where `body` is large_binary, or
        the text is over 2 GiB.

    Raises:
        TypeError: the body column holds no bytes.
        ValueError: an option that makes no sense, or columns of different lengths.
    """
    check_body_type(body.type)
    decoder = row_decoder(max_bytes, ratio, options)
    types = content_types(content_type, len(body))
    chunks = body.chunks if isinstance(body, pa.ChunkedArray) else [body]
    bodies = [binary_values(chunk) for chunk in chunks]
    columns = OutputColumns(sum(sum(values.lengths()) for values in bodies))
    done = 0
    for chunk, values in zip(chunks, bodies, strict=True):
        append_rows(columns, values, types[done : done + len(chunk)], decoder)
        done += len(chunk)
    return columns.finish(is_large(body.type))


def row_decoder(max_bytes: int, ratio: int, options: DecoderOptions) -> RowDecoder:
    """A decoder of rows whose options were checked."""
    check_limits(max_bytes, ratio)
    check_options(options)
    return RowDecoder(options, max_bytes, ratio)


def append_rows(
    columns: OutputColumns, values: BinaryValues, types: ContentTypes, decoder: RowDecoder
) -> None:
    """Decode the values and append their rows. A body over the limit is never copied."""
    append, decode, value = columns.append, decoder.decode, values.value
    max_bytes = decoder.max_bytes
    for row, (size, content_type) in enumerate(zip(values.lengths(), types, strict=True)):
        if size > max_bytes:
            append(too_large(size, max_bytes))
        else:
            append(decode(value(row), content_type))
