"""A crawl: the same function over Arrow data on every engine, and WARC files as Arrow data.

`decode_arrays`, `decode_batch` and `decode_batches` decode columns of documents (pip install
'feedcharset[arrow]'); `read_warc` reads web archives (pip install 'feedcharset[warc]'). A row never fails a
job: what cannot be decoded has null text, and a sentence in the column `error`.
"""

try:
    import pyarrow as _pyarrow  # noqa: F401 - a clear message where it is missing
except ImportError:
    raise ImportError("feedcharset.batch needs pyarrow: pip install 'feedcharset[arrow]'") from None

from feedcharset.batch.arrays import SCHEMA, decode_arrays, decode_batch, decode_batches, output_schema
from feedcharset.batch.warc import read_warc

__all__ = ["SCHEMA", "decode_arrays", "decode_batch", "decode_batches", "output_schema", "read_warc"]
