# What a person types. Each target is idempotent: nothing is repeated while nothing changed.

VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup demo check bench docs format lint sanitize nightly clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## system packages, .venv, native build, editable install
	@.ci/setup.sh

demo: setup ## NPB FT classes S and W, compiled, run and verified
	@.ci/demo.sh

check: setup ## the wheel, linters, all tests: what CI runs
	@.ci/check.sh

bench: setup ## every suite against its peers
	@set -e; for suite in bench/*/bench.py; do \
	  [ -e "$$suite" ] || { echo "bench: no suite in bench/ yet"; break; }; \
	  $(BIN)/weft bench "$$(basename "$$(dirname "$$suite")")"; done

docs: setup ## the generated pages anew; the site in build/site
	@.ci/generated_docs.sh
	@$(BIN)/python .ci/docs.py
	@.ci/site.sh

format: setup ## rewrite sources in the project's format
	@.ci/lint.sh --fix

lint: setup ## formats, types, clang-tidy on changed files
	@.ci/lint.sh

sanitize: setup ## the lit suite on tools built with the sanitizers
	@.ci/sanitize.sh

nightly: setup ## the exhaustive sweeps, and make sanitize
	@.ci/check.sh --nightly

clean: ## remove what was built (not the system packages)
	rm -rf build $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
