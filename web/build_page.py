"""Build the page that checks a feed in the browser: a folder that any static server can serve.

    python web/build_page.py OUT WHEEL

OUT is written anew. WHEEL is feedcharset's wheel. Pyodide is taken from web/node_modules (`npm ci` in web/);
the pure wheels that feedcharset needs there, webencodings, ftfy and wcwidth, are downloaded in the versions
that are installed beside this script. OUT then has everything; the page connects to no other server.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["build"]

WEB = Path(__file__).resolve().parent
FEEDS = WEB.parent / "fixtures" / "feeds"
PYODIDE = WEB / "node_modules" / "pyodide"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
DEPENDENCIES = ("webencodings", "ftfy", "wcwidth")

sys.path.insert(0, str(WEB / "browser"))


def build(out: Path, wheel: Path) -> None:
    """Write the page into `out`."""
    if out.exists():
        if not (out / "files.json").is_file():
            raise SystemExit(f"{out} exists and is not a page that was built before; give another folder")
        shutil.rmtree(out)
    shutil.copytree(WEB / "page", out)
    _copy_runtime(out / "pyodide")
    wheels = _copy_wheels(out / "wheels", wheel)
    modules = _copy_modules(out / "python")
    _write_examples(out)
    _write_licences(out)
    listed: dict[str, Any] = {"wheels": wheels, "modules": modules}
    _write_list(out, listed)
    subprocess.run(["node", WEB / "make_snapshot.mjs", out], check=True)
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    files.remove("service-worker.js")
    files.remove("files.json")
    digests = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in files}
    digest = hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:16]
    size = sum((out / path).stat().st_size for path in files)
    _write_list(out, listed | {"version": digest, "size": size, "files": digests})
    worker = out / "service-worker.js"
    text = worker.read_text(encoding="utf-8")
    assert text.count('"not built"') == 1
    worker.write_text(text.replace('"not built"', json.dumps(digest)), encoding="utf-8")


def _write_list(out: Path, listed: dict[str, Any]) -> None:
    (out / "files.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _copy_runtime(out: Path) -> None:
    if not PYODIDE.is_dir():
        raise SystemExit(f"{PYODIDE} is missing; run npm ci in {WEB}")
    out.mkdir()
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, out / name)
    # The page loads no package of Pyodide's own, so their list can be empty.
    lock: dict[str, Any] = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    (out / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")


def _copy_wheels(out: Path, wheel: Path) -> list[str]:
    out.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        wanted = [f"{name}=={version(name)}" for name in DEPENDENCIES]
        pure = ["--only-binary=:all:", "--implementation=py", "--abi=none", "--platform=any"]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, *pure, "--dest", folder, *wanted], check=True)
        for path in [*sorted(Path(folder).glob("*.whl")), wheel]:
            shutil.copy(path, out / path.name)
    return [f"wheels/{path.name}" for path in sorted(out.iterdir())]


def _copy_modules(out: Path) -> list[str]:
    out.mkdir()
    for path in sorted((WEB / "browser").glob("*.py")):
        shutil.copy(path, out / path.name)
    return [f"python/{path.name}" for path in sorted(out.iterdir())]


def _write_examples(out: Path) -> None:
    """Write the example documents and examples.json, which the page reads."""
    from pasted_input import DECLARED, TEXT_ENCODINGS

    source = json.loads((WEB / "examples.json").read_text(encoding="utf-8"))
    (out / "examples").mkdir()
    shown = []
    for number, example in enumerate(source["examples"], 1):
        file = f"example-{number}.xml"
        (out / "examples" / file).write_bytes(example_document(example))
        shown.append({key: example[key] for key in ("title", "about", "content_type")} | {"file": file})
    page = {"encodings": [DECLARED, *TEXT_ENCODINGS], "examples": shown}
    (out / "examples.json").write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")


def example_document(example: dict[str, str]) -> bytes:
    """Return the fixture of an example, changed as the example says."""
    from feedcharset import decode

    body = (FEEDS / f"{example['feed']}.xml").read_bytes()
    if "to" in example:
        body = decode(body, declaration="keep").text.encode(example["to"])
    if "passage" in example:
        passage = example["passage"]
        assert passage.encode() in body
        body = body.replace(passage.encode(), passage.encode(example["passage_in"]), 1)
    return body


def _write_licences(out: Path) -> None:
    pyodide = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))
    lines = [
        "What this page consists of, and under which licence:",
        "",
        f"feedcharset {version('feedcharset')}: MIT",
        f"Pyodide {pyodide['version']}, its program unchanged: {pyodide['license']} ({pyodide['homepage']})",
        "CPython, in Pyodide: Python Software Foundation License (https://docs.python.org/3/license.html)",
        f"webencodings {version('webencodings')}: BSD",
        f"ftfy {version('ftfy')}: Apache-2.0 (https://ftfy.readthedocs.io/)",
        f"wcwidth {version('wcwidth')}: MIT",
    ]
    (out / "licences.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"the page is in {sys.argv[1]}; serve that folder")
