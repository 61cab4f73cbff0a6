"""Check a built source distribution: every file of the repository is in it.

    python tests/support/check_sdist.py build/packages/feedcharset-*.tar.gz

The files of the repository are those that git tracks; outside a checkout nothing is compared.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(path: str) -> int:
    """Check the source distribution at `path`."""
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    if not (ROOT / ".git").exists():
        print(f"{Path(path).name}: {len(held)} files; this is no checkout, so nothing is compared")
        return 0
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    tracked = {name for name in listed.stdout.decode().split("\0") if name}
    missing = sorted(tracked - held)
    surplus = sorted(held - tracked - {"PKG-INFO", ""})
    assert not missing, f"the source distribution lacks {missing[:10]}"
    assert not surplus, f"the source distribution has {surplus[:10]}, which the repository does not track"
    print(f"{Path(path).name}: {len(held)} files, all that the repository tracks")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
