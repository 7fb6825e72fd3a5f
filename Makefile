# make run    serve on the local network     make setup   .venv with everything for both
# make test   every check, as CI does        make lint    ruff and mypy
# make bench  measure the engine             make texts   extract, merge and compile catalogues
# make compiled  the engine compiled, in build/compiled; its tests, which need a C compiler
# make lock   pin the requirements anew      make mutate  does a test notice every change? (hours)
# make fuzz   mangled input, FOR=60 seconds each
# make audit  ask for known vulnerabilities of what is pinned; 2: could not ask
# make sbom   a bill of materials, CycloneDX: sbom.cdx.json
# make licences  docs/third-party.txt anew   make matrix  every Python, both ends of the dependencies
# make offline  the files that let a phone answer for itself without a network
# make map    the picture of rooms and arrows in docs/architecture.md
# make verify every hand, and a thousand drills of each kind (an hour)

PYTHON ?= python3
PORT ?= 8000
WORKERS ?= 2
# `make mutate` tries one change of the engine in so many; 1 is all of them.
EVERY ?= 40
PY := .venv/bin/python
PO := $(shell find calculator/locale -name '*.po' 2>/dev/null)
MO := $(PO:.po=.mo)
STATIC := $(shell find static -type f 2>/dev/null)
# Commands here serve nothing to anybody, so any key will do; `run` makes a real one.
CHECK_ENV := SECRET_KEY=0123456789abcdefghijklmnopqrstuvwxyz-for-checks-only-0123456789

.PHONY: run test setup lint bench compiled texts lock browser fuzz mutate audit sbom licences matrix verify offline map
.DELETE_ON_ERROR:

run: .venv/.runtime $(MO) staticfiles/staticfiles.json
	@$(PY) manage.py serve --port $(PORT)

test: setup lint browser offline
	$(PY) manage.py texts --check
	$(CHECK_ENV) $(PY) manage.py check --deploy --fail-level WARNING
	$(PY) -m tests.postgres pytest -q -n $(WORKERS) -m "not browser" tests/tables
	$(PY) -m pytest -n $(WORKERS) --dist loadgroup

setup: .venv/.dev $(MO)

lint: .venv/.dev
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-cache

browser: .venv/.dev
	@$(PY) -m tests.browser.chromium
	@$(PY) -m tests.browser.firefox
	@$(PY) -m tests.proxy
	@$(PY) -m tests.postgres

# One of the libraries to compare with is built from source; without a compiler its rows are missing.
bench: .venv/.dev
	-@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/bench/requirements.txt
	-@$(MAKE) --silent build/compiled/.made
	$(PY) -m tests.bench

# In a folder of its own, which stands first on the path: nothing compiled lies beside the source.
compiled: build/compiled/.made
	PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR) $(PY) -m pytest -q -n $(WORKERS) \
	  -o pythonpath=build/compiled -p tests.compiled tests/scoring

build/compiled/.made: calculator/management/commands/compile.py pyproject.toml $(wildcard scoring/*.py scoring/*/*.py) | .venv/.dev
	rm -rf build/compiled
	$(PY) manage.py compile
	@touch $@

# Node and npm come with a Python package; what is made is kept in build/offline.
offline: .venv/.offline $(MO) staticfiles/staticfiles.json
	$(PY) manage.py offline

FOR ?= 60
fuzz: .venv/.dev
	$(PY) -m tests.fuzz --seconds $(FOR)

# All of what the tests ask a part of.
verify: .venv/.dev
	$(PY) manage.py verify
	DRILLS=1000 $(PY) -m pytest -q -n $(WORKERS) tests/scoring/test_generate.py

# Settings are in pyproject.toml; it goes on where it was stopped. docs/mutation.md has the results.
mutate: .venv/.dev
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/mutation/requirements.txt
	$(PY) -m tests.mutation.sample --every $(EVERY) --jobs $(WORKERS)

map: .venv/.dev
	$(PY) -m tests.map

texts: .venv/.dev
	$(PY) manage.py texts

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.12 ...' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo 'This Python cannot make virtual environments. On Debian and Ubuntu:  apt install python3-venv' >&2; \
	  exit 1; }
	$(PYTHON) -m venv .venv

.venv/.runtime: requirements.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

.venv/.dev: requirements-dev.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

.venv/.offline: calculator/offline/requirements.txt | $(INSTALLED)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r calculator/offline/requirements.txt
	@touch $@

# The recipe works with either list; whichever goal is asked for brings its own.
INSTALLED := $(if $(filter run offline,$(MAKECMDGOALS)),.venv/.runtime,.venv/.dev)

%.mo: %.po | $(INSTALLED)
	$(PY) manage.py texts --compile

staticfiles/staticfiles.json: $(STATIC) requirements.txt calculator/site/storage.py | $(INSTALLED)
	$(PY) manage.py collectstatic --noinput --verbosity 0
	@touch $@

# Leaves no index address in the files.
PIN := $(PY) -m piptools compile --quiet --no-header --strip-extras --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --allow-unsafe
lock: .venv/.dev
	$(PY) -m pip install --quiet pip-tools==7.6.2
	$(PIN) --extra site --output-file requirements.txt pyproject.toml
	$(PIN) --extra site --extra dev --extra fast --extra table --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml

# The tools have an environment of their own, and so has what they look at.
.tools/.made: tests/supply/requirements.txt requirements.txt | .venv/bin/python
	$(PYTHON) -m venv --clear .tools
	.tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/supply/requirements.txt
	$(PYTHON) -m venv --clear .tools/site
	.tools/site/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	.tools/site/bin/python -m pip uninstall --quiet --yes pip setuptools
	@touch $@

audit: .tools/.made
	@.tools/bin/python -m tests.supply.audit

sbom: .tools/.made
	.tools/bin/python -m cyclonedx_py environment .tools/site --pyproject pyproject.toml \
	  --gather-license-texts --output-reproducible --output-file sbom.cdx.json

licences: .venv/.dev
	$(PY) -m tests.supply.licences

matrix:
	$(PYTHON) -m tests.matrix
