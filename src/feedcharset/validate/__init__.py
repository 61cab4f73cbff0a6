"""Validation: findings for publishers, and what each kind of consumer reads.

`document_check` has `check`. `text_blocks` reads the document as text, `reading_comparison` with a decoder
for each consumer. `text_findings`, `well_formedness`, `mojibake_findings` and `document_findings` make the
findings, `findings` describes them, `fixes` says what to do; `western_words` judges bytes that are not UTF-8.
"""
