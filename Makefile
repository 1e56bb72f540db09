# Everything that is typed in this project. `make` alone lists it.
# PYTHON is the interpreter that .venv is made with: make app PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

# A stamp tells what .venv holds, and is older than what it was made from only after a change.
APP := $(VENV)/.holds-app
DEV := $(VENV)/.holds-dev
BENCH := $(VENV)/.holds-bench
SITE := $(VENV)/site/.holds-site

# Makes .venv hold what the lock of that name lists.
SET_UP = command -v $(PYTHON) > /dev/null \
  || { echo "rankdash: there is no $(PYTHON) here; install Python 3.11 or newer." >&2; exit 1; }; \
  $(PYTHON) scripts/set_up.py $(VENV)

# Tests that need neither the dashboard nor charts.
OLDEST := $(VENV)/oldest
CORE_TESTS := $(addprefix tests/,metrics judged evidence reading edits report comparison scored verdict policy test_api.py \
  inspect/test_lists.py cli/test_command_line.py)

# Everything as new as the ranges allow, then Streamlit as new as there is, and what leans on it.
NEWEST := $(VENV)/newest
TRY_NEWEST = $(NEWEST)/bin/python -m pytest -p no:cacheprovider -n auto --maxprocesses=4 -m "not long" $(PYTEST_ARGS)
OF_STREAMLIT := $(addprefix tests/,dashboard project/test_private_names.py)

# Walls and the core: what most changes break first.
QUICK_TESTS := $(addprefix tests/,project/test_architecture.py project/test_project_files.py metrics judged evidence \
  verdict comparison scored)

# Tests that search for counterexamples: a few examples each in `make test`, 25 in `make test-all`, hundreds in
# `make bench-truth`.
SEARCHES := $(addprefix tests/,metrics/test_measure_properties.py peers/test_evidence_properties.py \
  peers/test_reading_properties.py edits/test_edits.py)

# What `make lock` writes with the digest of every file that may be installed, so that no other can be.
LOCKS := requirements/locks
LOCKED := requirements.txt $(addprefix requirements/,setup.txt dev.txt bench.txt)
# Beside them, for they need nothing of ours: the core alone, what makes the site, what releases.
ALONE := core:pyproject.toml docs:requirements/docs.txt release:requirements/release.txt

# Further arguments: make test PYTEST_ARGS="-k verdict"; make lock LOCK_ARGS=--upgrade; make bench BENCH_ARGS="--reps 3"
PYTEST_ARGS ?=
LOCK_ARGS ?=
BENCH_ARGS ?=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help app test test-all check lint format types house docs audit release oldest newest bench bench-policy bench-reading bench-store bench-truth bench-ui lock clean

# Compiled tests are kept whatever the environment says: every worker would compile them again, a third of its start.
test test-all check bench-truth: export PYTHONDONTWRITEBYTECODE :=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

app: $(APP) ## set everything up and open the dashboard with the demo comparison
	@$(PY) -m rankdash serve

# What needs a browser and PostgreSQL, with what is found of them.
PYTEST_ALL = browser="$$($(PY) scripts/find_browser.py)" && postgres="$$($(PY) scripts/find_postgres.py)" && \
  RANKDASH_BROWSER="$$browser" RANKDASH_POSTGRES="$$postgres" \
  $(PY) -m pytest --all -n auto --maxprocesses=4 --dist=loadgroup

# Random searches are a third as long as in `make test-all`, and what is marked `long` is left to it.
test: export RANKDASH_TRUTH ?= 0.3
test: lint types ## set everything up, then lint, format check, types and most tests: 3 to 6 minutes on 2 processors
	@$(PYTEST_ALL) -m "not long" $(PYTEST_ARGS)

test-all: lint types $(SITE) ## the same with longer searches and all tests, as on every submission: 15 to 20 minutes
	@$(PYTEST_ALL) $(PYTEST_ARGS)

check: export RANKDASH_TRUTH ?= 0.3
check: lint types ## the quick part of `make test`: lint, format check, types, walls and the core
	@$(PY) -m pytest -q -m "not property and not long" -n auto --maxprocesses=4 $(QUICK_TESTS) $(PYTEST_ARGS)

lint: $(DEV) ## look for lint, for files that `make format` would change, and for code that nothing calls
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m vulture

format: $(DEV) ## write every file in the one format
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

types: $(DEV) ## check the types of rankdash/
	@$(PY) -m mypy

house: $(DEV) ## print the size of the code and of each room, beside the ceilings
	@$(PY) scripts/house.py

docs: $(DEV) $(SITE) ## build the site of the documents in build/site, where each of their examples is run
	@$(PY) scripts/docs.py

bench: $(BENCH) ## measure speed and memory against the peers, and write the tables
	@$(PY) benchmarks/run.py --write $(BENCH_ARGS)

bench-policy: $(BENCH) ## simulate how often the policy launches wrongly, and write the tables
	@$(PY) -m benchmarks.policy --write $(BENCH_ARGS)

bench-reading: $(BENCH) ## read the hardest files, and a million rows beside pyarrow
	@$(PY) -m benchmarks.reading --write $(BENCH_ARGS)

bench-store: $(BENCH) ## kill writers of saved comparisons 200 times and at each of their calls, time saving, opening and listing, and write the table
	@postgres="$$($(PY) scripts/find_postgres.py)" && RANKDASH_POSTGRES="$$postgres" $(PY) -m benchmarks.store --write $(BENCH_ARGS)

# Two processors take less than an hour.
bench-truth: $(DEV) ## 85 times as many random sources, votes, values and sequences as in `make test-all` (100,000, and 2,000 on two servers), 25 times as many other searches
	@browser="$$($(PY) scripts/find_browser.py)" && \
	RANKDASH_BROWSER="$$browser" RANKDASH_TRUTH=85 \
	$(PY) -m pytest --all tests/truth $(SEARCHES) -n auto --maxprocesses=4 --dist=worksteal $(PYTEST_ARGS)

bench-ui: $(BENCH) ## time the pages in a browser beside a hello-world app, and write the table
	@browser="$$($(PY) scripts/find_browser.py)" && \
	RANKDASH_BROWSER="$$browser" $(PY) -m benchmarks.ui --write $(BENCH_ARGS)

RELEASE := $(VENV)/release
# Strict: a package that nobody knows is no package without flaws.
AUDIT := $(RELEASE)/bin/pip-audit --strict --require-hashes --disable-pip -r requirements/locks/app.txt

audit: ## look up known flaws of what the dashboard installs; it fails too where nobody can be asked
	@$(PYTHON) scripts/set_up.py $(RELEASE) release
	@$(AUDIT)

release: ## build and check the packages in dist/packages, with a list of what is in them in dist/sbom.json
	@$(PYTHON) scripts/set_up.py $(RELEASE) release
	@rm -rf dist && $(RELEASE)/bin/python -m build --no-isolation --outdir dist/packages .
	@$(RELEASE)/bin/python -m twine check --strict dist/packages/*
	@$(RELEASE)/bin/cyclonedx-py requirements requirements/locks/core.txt --pyproject pyproject.toml --output-file dist/sbom.json
	@found=$$($(AUDIT) --format json 2> /dev/null) || \
	  { test -z "$$found" || { echo "$$found"; exit 1; }; \
	  echo "rankdash: known flaws of the packages were not looked up: the registry did not answer for all of them."; }

oldest: $(DEV) ## run the tests of the core with the oldest packages that pyproject.toml allows, without Streamlit
	@$(VENV)/bin/uv venv --quiet --clear --python $(PY) $(OLDEST)
	@$(VENV)/bin/uv pip install --quiet --python $(OLDEST) --constraint requirements/constraints.txt pytest scipy
	@$(VENV)/bin/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct --extra frames --requirement pyproject.toml
	@$(OLDEST)/bin/python -m pytest -p no:cacheprovider $(CORE_TESTS) $(PYTEST_ARGS)

newest: $(DEV) ## run the tests with the newest packages that the ranges allow, and say what Streamlit's newest would break
	@$(VENV)/bin/uv venv --quiet --clear --python $(PY) $(NEWEST)
	@$(VENV)/bin/uv pip install --quiet --upgrade --python $(NEWEST) --requirement requirements/dev.txt
	@$(TRY_NEWEST)
	@$(VENV)/bin/uv pip install --quiet --upgrade --python $(NEWEST) streamlit
	@$(VENV)/bin/uv pip list --quiet --python $(NEWEST) | grep '^streamlit '
	@$(TRY_NEWEST) $(OF_STREAMLIT) || echo "rankdash: these would break with the newest Streamlit; its range stays as it is."

lock: $(DEV) ## write the pins and locks in requirements/ anew from the files that list what is needed
	@$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 $(LOCK_ARGS) \
	  --custom-compile-command "make lock  (uv pip compile --universal --python-version 3.11 requirements/bench.txt)" \
	  --output-file requirements/constraints.txt requirements/bench.txt
	@for file in $(LOCKED); do $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --constraint requirements/constraints.txt --no-annotate --custom-compile-command "make lock  (the pins of constraints.txt, with hashes)" \
	  --output-file $(LOCKS)/$$(basename $$file | sed s/^requirements.txt/app.txt/) $$file || exit 1; done

	@for pair in $(ALONE); do $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  $(LOCK_ARGS) --constraint requirements/constraints.txt --no-annotate \
	  --custom-compile-command "make lock  (the pins of constraints.txt, with hashes)" \
	  --output-file $(LOCKS)/$${pair%%:*}.txt $${pair#*:} || exit 1; done

clean: ## remove everything that make, pip and the tests made
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .cache build dist *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The larger environments hold the smaller ones, so their stamps are set together.
$(APP): $(LOCKS)/setup.txt $(LOCKS)/app.txt scripts/set_up.py pyproject.toml
	@$(SET_UP) app
	@touch $(APP)

$(DEV): $(LOCKS)/setup.txt $(LOCKS)/dev.txt scripts/set_up.py pyproject.toml
	@$(SET_UP) dev
	@touch $(APP) $(DEV)

$(SITE): $(LOCKS)/setup.txt $(LOCKS)/docs.txt
	@$(PYTHON) scripts/set_up.py $(VENV)/site docs
	@touch $(SITE)

$(BENCH): $(LOCKS)/setup.txt $(LOCKS)/bench.txt scripts/set_up.py pyproject.toml
	@$(SET_UP) bench
	@touch $(APP) $(DEV) $(BENCH)
