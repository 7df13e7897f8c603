# make demo   set everything up and find a best move
# make test   set everything up and run all checks and tests
# make serve  the board in the browser
# make docs   the documentation as pages to read in a browser, in build/site
# make bench  measure against peers, side by side in one run

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt
JOBS ?= 2
PROGRAMS := gnugo chromium

.PHONY: demo test test-long serve docs bench format check clean programs

demo: $(VENV)/installed
	$(BIN)/kibitz search connect4 --moves 4453 --time 2
	@echo "watch it think, in the browser: make serve"

serve: $(VENV)/served
	$(BIN)/kibitz serve

test: $(VENV)/tested programs check
	$(BIN)/python -m pytest -n $(JOBS) -m "not long and not interpreted"
	KIBITZ_TARGET=python $(BIN)/python -m pytest -n $(JOBS) -m "not long and not compiled and not once" tests/core tests/searches tests/tables

test-long: $(VENV)/tested programs
	$(BIN)/python -m pytest -n $(JOBS)

check: $(VENV)/tested
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(VENV)/documented
	$(BIN)/python -m website

bench: $(VENV)/benched
	$(BIN)/python -m benchmarks --json benchmarks/measured.json

format: $(VENV)/tested
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Programs that tests play against, and the browser that they drive: installed where that is possible; else those tests are skipped and say why.
programs:
	@missing=""; for name in $(PROGRAMS); do PATH="$$PATH:/usr/games" command -v $$name >/dev/null || missing="$$missing $$name"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get install -y -qq $$missing >/dev/null 2>&1 || { apt-get update -qq; apt-get install -y -qq $$missing; } >/dev/null 2>&1 || true; \
	fi; \
	for name in $$missing; do PATH="$$PATH:/usr/games" command -v $$name >/dev/null || echo "$$name is not installed: tests with it are skipped"; done

clean:
	rm -rf $(VENV) build *.egg-info benchmarks/build

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("kibitz needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(PIP) -e ".[test]"
	touch $@

$(VENV)/served: $(VENV)/installed
	$(PIP) -e ".[web]"
	touch $@

$(VENV)/documented: $(VENV)/installed
	$(PIP) -e ".[docs]"
	touch $@

$(VENV)/benched: $(VENV)/installed
	$(PIP) -e ".[bench]"
	touch $@
