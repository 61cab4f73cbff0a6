# Two commands do all the set-up on a machine with Python 3.11 and make: `make demo` and `make test`.

PYTHON ?= python3
BIN := .venv/bin
CORE := charsets evidence decide text
SOURCES := $(shell find src -name '*.py') pyproject.toml

.PHONY: demo test test-long test-pythons promises mutants fuzz test-sdist lint bench compare conformance docs wheel sdist coverage engines web web-build web-test clean

# The wheel is built and installed, and the installed wheel is what is tested. Nothing else is needed to use it.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.venv/installed: $(SOURCES) README.md
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@rm -rf dist
	@$(PIP) wheel --no-deps --wheel-dir dist .
	@$(PIP) install dist/*.whl
	@$(PIP) install --force-reinstall --no-deps dist/*.whl
	@touch $@

demo: .venv/installed
	@$(BIN)/python fixtures/demo.py

# What the tests need besides: pytest, and the libraries that feedcharset works with.
.venv/tests: .venv/installed
	@$(PIP) install "$$(ls dist/*.whl)[test]"
	@touch $@

# As many processes as processors: each takes 7 s to collect the tests. It has its share of the files, so that what
# a file needs is made once, and takes from the others when it is through.
PARALLEL := -n auto --dist worksteal

test: .venv/tests
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not long"

# What takes long and finds little per second: generated documents by the thousand, growth, promises.
test-long: .venv/tests
	$(BIN)/python -m pytest -q $(PARALLEL) -m long

.venv/tools: .venv/tests
	$(PIP) install ruff mypy types-requests basedpyright
	touch $@

# make fuzz FUZZ_SECONDS=60: all targets together, guided by coverage.
FUZZ_SECONDS ?= 60

.venv/fuzz: .venv/tests
	$(PIP) install "atheris>=2.3"
	touch $@

fuzz: .venv/fuzz
	$(BIN)/python tests/fuzz/run.py --seconds $(FUZZ_SECONDS)

# make mutants SAMPLE=120 MINUTES=60: change one thing at a time and see whether a test fails.
SAMPLE ?= 120
MINUTES ?= 60

mutants: .venv/tests
	$(PIP) install "cosmic-ray>=8.4"
	$(BIN)/python tests/support/mutants.py --sample $(SAMPLE) --minutes $(MINUTES)

# The suite passes from the source distribution, against the installed wheel, in an environment that is not the
# developer's: another locale, another time zone, a home that cannot be written, files that only their owner may
# read, random order, and without the privileges of root. Those of `make coverage` run so there.
UNPRIVILEGED := $(shell command -v setpriv > /dev/null && test "$$(id -u)" = 0 && echo setpriv --bounding-set=-all --inh-caps=-all)
ELSEWHERE = env -i HOME=/nonexistent PATH="$(PATH)" LANG=C LC_ALL=C PYTHONUTF8=0 PYTHONUNBUFFERED=1 TZ=Asia/Kathmandu \
	NO_SKIPS="$(NO_SKIPS)" FEEDCHARSET_EXAMPLES=100 $(UNPRIVILEGED)
FROM_SDIST = cd build/unpacked && umask 077 && $(ELSEWHERE) $(CURDIR)/$(BIN)/python -m pytest -q -m "not long" \
	-p no:cacheprovider --random-order

.PHONY: unpacked
unpacked: .venv/tests
	rm -rf build/unpacked build/source
	$(BIN)/python -m build --sdist --outdir build/source . > /dev/null
	mkdir -p build/unpacked
	tar -xzf build/source/*.tar.gz -C build/unpacked --strip-components 1

# Each line and each branch of the core is run by the core's own tests, and a few beside them.
FOR_COVERAGE := $(CORE:%=tests/%) tests/reading tests/parsing/test_parse.py tests/fuzz \
	tests/test_hard_cases.py tests/test_field_reports.py tests/test_mutant_cases.py

test-sdist: unpacked
	$(FROM_SDIST) $(PARALLEL) $(FOR_COVERAGE:%=--ignore=%)

coverage: unpacked
	$(FROM_SDIST) -n 2 $(FOR_COVERAGE) $(CORE:%=--cov=feedcharset.%) \
		--cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

# The core's tests on every other Python that is installed: beside this one, or on the PATH.
PYTHONS := $(shell $(PYTHON) -c "import pathlib, sys; print(pathlib.Path(sys.base_prefix).parent)")

PYTHON_VERSIONS := 3.12 3.13 3.14

test-pythons: .venv/installed
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(PYTHON_VERSIONS:%=test-python-%)

test-python-%:
	@set -e; for python in $(PYTHONS)/$**/bin/python$* python$*; do \
	$$python -c "" 2> /dev/null || continue; \
	echo "$$($$python --version): the core's tests"; rm -rf build/python-$*; $$python -m venv build/python-$*; \
	build/python-$*/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl \
		pytest pytest-xdist hypothesis responses PyYAML; \
	build/python-$*/bin/python -m pytest -q -n 1 -m "not long" -p no:cacheprovider $(CORE:%=tests/%); \
	break; done

lint: .venv/tools
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tests/types/check_types.py

wheel: .venv/tests
	$(BIN)/python tests/support/check_wheel.py dist/*.whl

# The source distribution, and a wheel that is built from it alone.
sdist: .venv/tests
	rm -rf build/packages
	$(BIN)/python -m build --outdir build/packages . > /dev/null
	$(BIN)/python tests/support/check_sdist.py build/packages/*.tar.gz

# What findings promise, over thousands of generated documents: make promises COUNT=6000 SEED=20261120
COUNT ?= 6000
SEED ?= 20261120
promises: .venv/tests
	$(BIN)/python tests/check_promises.py $(COUNT) $(SEED)

# The curve over sizes and charsets, then the other measurements; make bench FEEDS=folder: your own feeds.
bench: .venv/tests
	$(PIP) install w3lib resiliparse beautifulsoup4 feedparser chardet charset-normalizer
	$(BIN)/python benchmarks/curve.py $(if $(FEEDS),--feeds $(FEEDS))
	$(if $(FEEDS),,$(BIN)/python benchmarks/run.py --quick)

# Other programs on the same documents: docs/comparison.md. make compare SUITE=folder: W3C's XML suite, too.
compare: .venv/tests
	$(PIP) install resiliparse charset-normalizer chardet w3lib beautifulsoup4 feedparser fastfeedparser
	$(BIN)/python benchmarks/compare.py $(if $(SUITE),--suite $(SUITE))
	$(BIN)/python docs/generate.py

# Other programs on fixtures/conformance: make conformance NODE=folder-with-node_modules JAVA=classpath
conformance: .venv/tests
	$(PIP) install feedparser w3lib beautifulsoup4 fastfeedparser resiliparse charset-normalizer chardet
	$(BIN)/python benchmarks/conformance.py $(if $(NODE),--node $(NODE)) $(if $(JAVA),--java $(JAVA))
	$(BIN)/python docs/generate.py

# The same 20,000 rows on every engine, in an environment of its own of 1.6 GB; Spark runs where there is a Java.
.venv-engines/installed: $(SOURCES)
	test -x .venv-engines/bin/python || $(PYTHON) -m venv .venv-engines
	.venv-engines/bin/python -m pip install --quiet --disable-pip-version-check ".[warc,engines]"
	.venv-engines/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .
	touch $@

engines: .venv-engines/installed
	.venv-engines/bin/python tests/support/run_engines.py

docs: .venv/tests
	$(PIP) install "$$(ls dist/*.whl)[docs]"
	$(BIN)/python docs/generate.py
	@if command -v npm > /dev/null; then $(MAKE) web-build; \
	else rm -rf build/web; echo "npm is not installed: the documentation is without the page that checks a feed"; fi
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@rm -rf docs/_build/html/web; if test -d build/web; then cp -R build/web docs/_build/html/web; fi
	$(BIN)/python docs/look.py
	@echo "The documentation is in docs/_build/html/index.html"

# The page that checks a feed in the browser: `make web` builds and serves it, `make web-build` only builds it.
PORT ?= 8000
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

WEB_SOURCES := $(shell find web fixtures/feeds -name node_modules -prune -o -type f -not -name '*.pyc' -print)

web-build: build/web/files.json
build/web/files.json: .venv/tests web/node_modules/.installed $(WEB_SOURCES)
	$(BIN)/python web/build_page.py build/web dist/*.whl

web: web-build
	@$(BIN)/python web/serve.py build/web $(PORT)

web-test:
	@if ! command -v node > /dev/null || ! command -v npm > /dev/null || test -z "$(CHROMIUM)"; then \
	echo "Node, npm or Chromium is not installed: the page in the browser is not tested"; \
	else $(MAKE) web-build && PAGE=build/web CHROMIUM="$(CHROMIUM)" PYTHON="$(CURDIR)/$(BIN)/python" node --test web/test/page.test.mjs; fi

clean:
	rm -rf web/node_modules .venv .venv-engines dist build docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
