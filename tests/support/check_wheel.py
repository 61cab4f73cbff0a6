"""Check a built wheel: it holds what it should, and works when it is installed alone.

    python tests/support/check_wheel.py dist/feedcharset-*.whl

A virtual environment is made in a temporary folder; nothing of the checkout is on its path.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from functools import partial
from pathlib import Path

MAX_BYTES = 597_000
"""Of the wheel, which is source text alone."""

MAX_FILE = 15_000
"""Compressed bytes of any file; a table of data that slips in would be larger."""

MUST_HOLD = (
    "feedcharset/__init__.py",
    "feedcharset/py.typed",
    "feedcharset/decide/published_tables.py",
    "feedcharset/cli/__init__.py",
    "feedcharset/adapters/feedparser.py",
)
MUST_NOT_HOLD = ("tests/", "fixtures/", "docs/", "benchmarks/", "web/")

SMOKE = r"""
import sys
import feedcharset
assert 'site-packages' in feedcharset.__file__, feedcharset.__file__
heavy = {'requests', 'lxml', 'ftfy', 'click', 'rich'} & set(sys.modules)
assert not heavy, heavy
for name in feedcharset.__all__:
    getattr(feedcharset, name)
body = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Да</title></rss>'.encode('cp1251')
text, resolution, repairs = feedcharset.decode(body, 'application/rss+xml')
assert 'Да' in text and resolution.encoding == 'windows-1251' and resolution.rule == '2.0/1.2', resolution
assert feedcharset.parse(body).findtext('title') == 'Да'
"""


def main(path: str) -> int:
    """Check the wheel at `path`."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith("/METADATA"))
        fields = wheel.read(metadata).decode("utf-8")
        large = [file.filename for file in wheel.infolist() if file.compress_size > MAX_FILE]
    size = Path(path).stat().st_size
    assert size <= MAX_BYTES, f"the wheel has {size:,} bytes; at most {MAX_BYTES:,}"
    assert not large, f"the wheel holds large files: {large}"
    missing = [name for name in MUST_HOLD if name not in names]
    surplus = [name for name in names if name.startswith(MUST_NOT_HOLD)]
    assert not missing, f"the wheel lacks {missing}"
    assert not surplus, f"the wheel holds {surplus}"
    assert any(name.endswith("licenses/LICENSE") for name in names), "the wheel lacks its licence"
    assert "](docs/" not in fields, "the package page would have links that lead nowhere"
    for extra in ("detect", "test", "docs"):
        assert f"Provides-Extra: {extra}" in fields, f"the extra {extra} is missing"
    with tempfile.TemporaryDirectory() as folder:
        _smoke(Path(path).resolve(), Path(folder))
    print(f"{Path(path).name}: {len(names)} files, {size:,} bytes; it works when installed alone")
    return 0


def _smoke(wheel: Path, folder: Path) -> None:
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    run = partial(subprocess.run, check=True, cwd=folder)
    run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)])
    run([python, "-I", "-c", SMOKE])
    command = folder / "env" / "bin" / "feedcharset"
    (folder / "feed.xml").write_bytes(b'<?xml version="1.0" encoding="latin1"?><a>\xe9</a>')
    for arguments in (["--version"], ["explain", "feed.xml"], ["cat", "feed.xml"]):
        run([command, *arguments], stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
