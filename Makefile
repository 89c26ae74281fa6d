# The two commands of the README: make reproduce-table1, make test. make help lists the rest.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
.DEFAULT_GOAL := help
# Every target that help lists is a command, not a file.
.PHONY: $(shell sed -nE 's/^([a-z0-9-]+):.*[#][#] .*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## one line per target
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 24

# The environment is made from locks with hashes and remade when a lock or the package's metadata changes: first what
# a run needs, then, for the targets that ask for it, what tests, types and wheels need.
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check
$(VENV)/.ready: requirements/study.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("celm needs Python 3.10 or newer; PYTHON=python3.11 make … names one" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r requirements/study.lock
	$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.ready requirements/dev.lock
	$(INSTALL) --require-hashes -r requirements/dev.lock
	@touch $@

environment: $(VENV)/.dev ## create .venv from the pinned locks

reproduce-table1: $(VENV)/.ready ## Table I: fetch the data, run ten rounds, write results/tables/table1.*
	$(RUN) -m experiments.run experiment=table1

reproduce-fig2: $(VENV)/.ready ## Fig 2: the illustration of weight vectors, drawn without a run
	$(RUN) -m experiments.publish figures fig2

reproduce-fig3: $(VENV)/.ready ## Fig 3: the spiral, ten rounds, write results/figures/fig3*
	$(RUN) -m experiments.run experiment=fig3
	$(RUN) -m experiments.publish figures --store local fig3 fig3_extended

reproduce-fig4: $(VENV)/.ready ## Fig 4: six UCI sets, ten rounds, write results/figures/fig4*
	$(RUN) -m experiments.run experiment=fig4
	$(RUN) -m experiments.publish figures --store local fig4 fig4_extended

reproduce-table2: $(VENV)/.ready ## Table II: MNIST at 1000 and 2000 nodes and ML-ELM, ten rounds (about half an hour)
	$(RUN) -m experiments.run experiment=table2

reproduce-table3: $(VENV)/.ready ## Table III: CIFAR-10 at 7000 nodes and the cited systems (an hour or two, resumes)
	$(RUN) -m experiments.run experiment=table3

reproduce-fig5: $(VENV)/.ready ## Fig 5: MNIST and CIFAR-10 from 100 to 2000 nodes without a penalty, ten rounds, write results/figures/fig5*
	$(RUN) -m experiments.run experiment=fig5a
	$(RUN) -m experiments.run experiment=fig5b
	$(RUN) -m experiments.publish figures --store local fig5 fig5_extended

fig5-readings: $(VENV)/.ready ## Fig 5 with ten thousand training digits, as its caption can be read
	$(RUN) -m experiments.run experiment=fig5a reading=subset_10000
	$(RUN) -m experiments.publish figures --store local fig5_subset

reproduce-fig6: $(VENV)/.ready ## Fig 6: hidden outputs of 10,000 nodes by t-SNE, five rounds, write results/figures/fig6* and tables/fig6.*
	$(RUN) -m experiments.run experiment=fig6
	$(RUN) -m experiments.publish tables --store local fig6
	$(RUN) -m experiments.publish figures --store local fig6

fig6-readings: $(VENV)/.ready ## Fig 6 without principal components before t-SNE
	$(RUN) -m experiments.run experiment=fig6 reading=no_pca
	$(RUN) -m experiments.publish tables --store local fig6
	$(RUN) -m experiments.publish figures --store local fig6_no_pca

study-readings: $(VENV)/.ready ## run every reading of Tables I, II and III, judge each published cell, rank the readings
	$(RUN) -m experiments.readings

study-causes: $(VENV)/.ready ## direction, scale and bias of the weights taken apart, write results/tables/causes.* and figures/causes.*
	$(RUN) -m experiments.run experiment=causes_mdd
	$(RUN) -m experiments.run experiment=causes_mnist
	$(RUN) -m experiments.run experiment=causes_cifar10
	$(RUN) -m experiments.publish tables --store local causes
	$(RUN) -m experiments.publish figures --store local causes

study-claims: $(VENV)/.ready ## what the claims need beside tables and figures: noise, very many nodes, times (about a quarter of an hour)
	$(RUN) -m experiments.run -m sweep=label_noise
	$(RUN) -m experiments.run -m sweep=input_noise
	$(RUN) -m experiments.run experiment=overfit
	$(RUN) -m experiments.run experiment=overfit_ridge
	$(RUN) -m experiments.run experiment=layer_times
	$(RUN) -m experiments.run experiment=fit_times

study-protocols: $(VENV)/.ready ## 72 whole protocols of Table I in 100 rounds (about three hours on 2 cores, resumes)
	$(RUN) -m experiments.run -m sweep=protocols
	$(RUN) -m experiments.run -m sweep=protocols_code

claims: $(VENV)/.ready ## judge every sentence of the paper from the published records, write results/claims.json and tables/claims.*
	$(RUN) -m experiments.claims

check-claims: $(VENV)/.ready ## fail if a claim that results/claims.json calls reproduced no longer is
	$(RUN) -m experiments.claims --check

fig3-readings: $(VENV)/.ready ## Fig 3 under the other cutoffs, and on the spiral that explains it
	$(RUN) -m experiments.run experiment=fig3
	$(RUN) -m experiments.run experiment=fig3 reading=numpy_cutoff
	$(RUN) -m experiments.run experiment=fig3 reading=no_cutoff
	$(RUN) -m experiments.run experiment=fig3 reading=spiral_quarter
	$(RUN) -m experiments.publish figures --store local fig3_cutoff fig3_quarter

spiral-map: $(VENV)/.ready ## sixty spiral settings against what the paper says of Fig 3
	$(RUN) -m experiments.run -m sweep=spiral_map
	$(RUN) -m experiments.publish tables --store local spiral_map
	$(RUN) -m experiments.publish figures --store local spiral_map

codebook: $(VENV)/.ready ## CIFAR-10: linear SVM on image features of growing codebooks
	$(RUN) -m experiments.run -m sweep=codebook
	$(RUN) -m experiments.publish tables --store local features
	$(RUN) -m experiments.publish figures --store local codebook

feature-seeds: $(VENV)/.ready ## CIFAR-10: five draws of the image features
	$(RUN) -m experiments.run -m sweep=feature_seeds
	$(RUN) -m experiments.publish tables --store local features

analyses: $(VENV)/.ready ## list every analysis: its name, what it writes and what it tells
	$(RUN) -m experiments.publish list

figures: $(VENV)/.ready ## write results/figures from the published records, and every local sweep as small multiples
	$(RUN) -m experiments.publish figures
	$(RUN) -m experiments.publish sweeps

report: $(VENV)/.ready ## write results/report/index.html, README.md and verdict.json from the published results
	$(RUN) -m experiments.report

# The report's page is tested in a real Chromium: the one that is here, else Debian's, else Playwright's own.
browser: $(VENV)/.dev ## find or install the Chromium that the tests of the report need
	RUN=$(RUN) sh scripts/browser.sh

test: $(VENV)/.dev browser ## lint, types and all tests
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(RUN) -m pytest

smoke: $(VENV)/.ready ## every experiment on small subsets, under a minute once data is cached
	$(RUN) -m experiments.smoke

lint: $(VENV)/.dev ## ruff and mypy
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: $(VENV)/.dev ## let ruff format the code
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

doctor: $(VENV)/.ready ## versions, BLAS, threads, cache folder, which data sources answer
	$(RUN) -m experiments.doctor

publish: $(VENV)/.ready ## move finished cells from runs/ to results/records, then write what is made from them
	$(RUN) -m experiments.publish records
	$(MAKE) tables
	$(RUN) -m experiments.publish figures
	$(RUN) -m experiments.report

tables: $(VENV)/.ready ## write results/tables from the published records, without a run
	$(RUN) -m experiments.publish tables

verify-store: $(VENV)/.ready ## check every digest, count and range of the published records, without a run
	$(RUN) -m experiments.records verify

verify-records: $(VENV)/.ready ## rerun randomly chosen published cells, fail if any column but the times differs
	$(RUN) -m experiments.verify

verify-records-cheap: $(VENV)/.ready ## the same on two quick cells per experiment, as CI does
	$(RUN) -m experiments.verify --cells 2 --max-seconds 3

COMPILE := uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-header --no-annotate pyproject.toml
lock: ## pin requirements/*.lock anew for all supported Pythons (needs uv)
	$(COMPILE) --extra study -o requirements/study.lock
	$(COMPILE) --all-extras -c requirements/study.lock -o requirements/dev.lock

bench: $(VENV)/.dev ## time every task against the peers and the limit, publish to results/bench if the machine was quiet
	$(RUN) -m bench

bench-check: $(VENV)/.dev ## fail if a small fit takes half as much again over its bare products as it did
	$(RUN) -m bench --check

wheel: $(VENV)/.dev ## build dist/celm-*.whl: the library alone
	$(RUN) -m flit_core.wheel --outdir dist

wheel-check: wheel ## install the wheel into throw-away environments, newest and lowest declared versions, and fit there
	$(RUN) scripts/check_wheel.py dist/celm-*.whl

clean: ## remove the environment and the local store
	rm -rf $(VENV) runs outputs
