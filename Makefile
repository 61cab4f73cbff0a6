# Two commands do all the set-up on a machine with Python 3.11 and make: `make demo` and `make test`.

PYTHON ?= python3
BIN := .venv/bin
CORE := charsets evidence decide text
SOURCES := $(shell find src -name '*.py') pyproject.toml

.PHONY: demo test lint bench docs wheel coverage clean

# The wheel is built and installed, and the installed wheel is what is tested.
.venv/installed: $(SOURCES) README.md
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist . > /dev/null
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[test]"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/*.whl
	touch $@

demo: .venv/installed
	$(BIN)/python fixtures/demo.py

test: .venv/installed
	$(BIN)/python -m pytest -q -n 2

.venv/tools: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check ruff mypy types-requests basedpyright
	touch $@

lint: .venv/tools
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tests/types/check_types.py

coverage: .venv/installed
	$(BIN)/python -m pytest -q -n 2 tests/charsets tests/evidence tests/decide tests/text $(CORE:%=--cov=feedcharset.%) \
		--cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

wheel: .venv/installed
	$(BIN)/python tests/support/check_wheel.py dist/*.whl

bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check w3lib beautifulsoup4 feedparser chardet charset-normalizer
	$(BIN)/python benchmarks/run.py

docs: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[docs]"
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	$(BIN)/python docs/look.py
	@echo "The documentation is in docs/_build/html/index.html"

clean:
	rm -rf .venv dist build docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
