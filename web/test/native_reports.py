"""Print what the library reports natively of every fixture: a line of JSON each, for the test of the page.

python web/test/native_reports.py
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "web" / "browser"), str(ROOT / "tests"), str(ROOT / "fixtures")]

from document_report import document_report  # noqa: E402
from support.fixture_documents import fixture_documents  # noqa: E402

for document in fixture_documents():
    report = document_report(document.body, document.content_type)
    body = base64.b64encode(document.body).decode()
    print(json.dumps([document.name, body, document.content_type, report]))
