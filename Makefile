# The two commands of the README: make reproduce-table1, make test. make help lists the rest.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
.DEFAULT_GOAL := help
# Every target that help lists is a command, not a file.
.PHONY: help $(shell sed -nE 's/^([a-z0-9-]+):.*[#][#] .*/\1/p' $(firstword $(MAKEFILE_LIST)))

# Two signs give a target a line of its own, three a place on the last line of its group.
help:
	@awk -F '## ' 'function also() { if (rest) printf "  and:%s\n", rest; rest = "" } \
	/^##@ / { also(); printf "\n%s\n", substr($$0, 5) } \
	/^[a-z0-9-]+:.*## / { name = $$1; sub(/:.*/, "", name); if (length(rest) > 75) also(); if ($$1 ~ /#$$/) rest = rest " " name; \
	else printf "  %-21s %s\n", name, $$2 } END { also() }' $(firstword $(MAKEFILE_LIST))

# The environment is made from locks with hashes and remade when a lock or the package's metadata changes: first what
# a run needs, then, for the targets that ask for it, what tests, types and wheels need.
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check
$(VENV)/.ready: requirements/study.lock pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "error: there is no program $(PYTHON); PYTHON=python3.11 make … names one" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit("celm needs Python 3.10 or newer; PYTHON=python3.11 make … names one" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r requirements/study.lock
	$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/.dev $(VENV)/.docs: $(VENV)/.%: $(VENV)/.ready requirements/%.lock
	$(INSTALL) --require-hashes -r requirements/$*.lock
	@touch $@

environment: $(VENV)/.dev ## create .venv from the pinned locks

# A study is run.NAME, its readings run.NAME+READING, a sweep sweep.NAME. What a target runs stands behind its colon; the
# tables and figures that read just that are then written beside the records, under runs/.
.NOTPARALLEL:
COMMA := ,
EXPERIMENT = $(firstword $(subst +, ,$*))
READINGS = $(subst +,$(COMMA),$(patsubst $(EXPERIMENT)+%,%,$(filter-out $(EXPERIMENT),$*)))
run.%: $(VENV)/.ready
	$(RUN) -m experiments.run experiment=$(EXPERIMENT) $(if $(READINGS),'reading=[$(READINGS)]')
sweep.%: $(VENV)/.ready
	$(RUN) -m experiments.run -m sweep=$*
SHOW = $(RUN) -m experiments.publish local $(patsubst run.%,%,$(patsubst sweep.%,%,$^))

##@ The paper: every run says whether its records equal the published ones and writes under runs/
reproduce-table1: run.table1 ## Table I: six UCI sets, ten rounds
reproduce-table2: run.table2 ## Table II: MNIST at 1000 and 2000 nodes and ML-ELM (half an hour)
reproduce-table3: run.table3 ## Table III: CIFAR-10 at 7000 nodes and the cited systems (an hour or two)
reproduce-fig2: $(VENV)/.ready ## Fig 2: weight vectors, drawn without a run
	$(RUN) -m experiments.publish figures --store local fig2
reproduce-fig3: run.fig3 ## Fig 3: the spiral
reproduce-fig4: run.fig4 ## Fig 4: six UCI sets without a penalty
reproduce-fig5: run.fig5a run.fig5b ## Fig 5: MNIST and CIFAR-10, 100 to 2000 nodes without a penalty
reproduce-fig6: run.fig6 ## Fig 6: hidden outputs of 10,000 nodes by t-SNE, five rounds

##@ Beyond the paper
fig3-readings: run.fig3 run.fig3+numpy_cutoff run.fig3+no_cutoff run.fig3+spiral_quarter ### Fig 3: cutoffs, another spiral
fig5-readings: run.fig5a+subset_10000 ### Fig 5 with ten thousand training digits
fig6-readings: run.fig6 run.fig6+no_pca ### Fig 6 without principal components before t-SNE
spiral-map: sweep.spiral_map ## sixty spirals against what the paper says of Fig 3
codebook: sweep.codebook ## CIFAR-10: linear SVM on growing codebooks
feature-seeds: sweep.feature_seeds ## CIFAR-10: five draws of the image features
study-causes: run.causes_mdd run.causes_mnist run.causes_cifar10 ## direction, scale and bias of the weights taken apart
SPREAD := causes_spread causes_spread_mnist causes_spread_cifar10
study-spread: $(SPREAD:%=sweep.%) $(SPREAD:%=run.%_own) ## directions at equal spreads of pre-activations (two hours)
study-claims: sweep.label_noise sweep.input_noise run.overfit run.overfit_ridge run.layer_times run.layer_times+cosine_filter run.fit_times run.layer_facts run.quadratic run.averaged ## noise, very many nodes, times
study-times: run.equal_times run.equal_times_mnist ### seconds to fit at equal node counts; leave the machine alone (a quarter of an hour)
study-filters: run.filter_facts+small_norm_filter run.filter_facts+cosine_filter ### how many draws the authors' filters reject (a minute)
study-suite: run.suite run.suite_regression ## a hundred data sets, some twenty models: where the gain comes from (an hour)
study-compact: run.compact ### how few nodes reach an accuracy on MNIST, and how fast they answer (ten minutes)
study-ciw: run.ciw_mnist ## a second paper: CIW-ELM on MNIST, 1600 and 8000 nodes (twenty minutes)
study-protocols: sweep.protocols sweep.protocols_code $(patsubst %,run.table2_ml_elm+ml_elm_other_preset+%,pixels unit_norm per_feature) ## 72 protocols of Table I in 100 rounds (three hours), 8 of Table II
SMALL := table1 table1+small_norm_filter table1+cosine_filter fig3 fig4 causes_mdd overfit overfit_ridge layer_facts quadratic averaged
confirm-small: $(SMALL:%=run.confirm_%) sweep.confirm_input_noise ### the confirmatory run on small data (two hours)
LARGE := table2 table3 fig5a fig5b causes_mnist causes_cifar10 fit_times layer_times layer_times+cosine_filter
confirm-large: $(LARGE:%=run.confirm_%) ### the confirmatory run on images (six hours)
study-readings: $(VENV)/.ready ## every reading of Tables I to III, judged and ranked
	$(RUN) -m experiments.readings
# Whatever runs a study or a sweep shows it.
$(shell sed -nE 's/^([a-z0-9-]+):.*(run|sweep)[.].*[#][#] .*/\1/p' $(firstword $(MAKEFILE_LIST))):
	$(SHOW)

##@ From records to what people read
claims: $(VENV)/.ready ## judge every sentence of the paper from the published records
	$(RUN) -m experiments.claims

check-claims: $(VENV)/.ready ### fail if a claim that held no longer does
	$(RUN) -m experiments.claims --check

analyses: $(VENV)/.ready ## list every analysis: its name, what it writes and what it tells
	$(RUN) -m experiments.publish list

figures: $(VENV)/.ready ## results/figures from the published records; local sweeps as small multiples
	$(RUN) -m experiments.publish figures
	$(RUN) -m experiments.publish sweeps

report: $(VENV)/.ready ## results/report/index.html, README.md, verdict.json from published results
	$(RUN) -m experiments.report

# A warning is an error: a link that leads nowhere, a page in no menu, an example whose assertion fails.
docs: $(VENV)/.docs ## build docs/_build/html: guides, examples that run, reference (two minutes)
	$(RUN) -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "written: docs/_build/html/index.html"

article: $(VENV)/.docs ## set results/article/article.pdf, the replication report, from the findings
	$(RUN) -m experiments.texts.article

crate: $(VENV)/.ready ## describe every file under results/ in results/ro-crate-metadata.json
	$(RUN) -m experiments.texts.crate

##@ Checks and housekeeping
# The report's page is tested in a real Chromium: the one that is here, else Debian's, else Playwright's own.
browser: $(VENV)/.dev ### find or install the Chromium that the tests of the report need
	RUN=$(RUN) sh scripts/browser.sh

PYTEST = $(RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder
test: lint browser ## lint, types and all tests but the heavy ones
	$(PYTEST) -m "not heavy"

test-heavy: $(VENV)/.dev ### the heavy tests: kills, full disks, launchers, other kernels, additions to a copy of the tree
	$(PYTEST) -m heavy --timeout 900

smoke: $(VENV)/.ready ## every experiment on small subsets, under a minute once data is cached
	$(RUN) -m experiments.smoke

# The long forms may be stopped: they count in a file and go on from it. docs/measured has the last files, docs/security.md their counts.
chaos: $(VENV)/.dev ### kill a study 200 times at drawn moments, fill its disk, set its clock back; nothing may be lost
	$(RUN) -m chaos --keep runs/tried/chaos.json

fuzz-cli: $(VENV)/.dev ### 2000 command lines drawn from the schema: each runs or is refused in words with exit code 2
	$(RUN) -m fuzz.command_line_runs --keep runs/tried/fuzz_cli.json

fuzz-estimators: $(VENV)/.dev ### 20,000 drawn inputs per estimator: a sound answer or an error in words
	$(RUN) -m fuzz.estimators --keep runs/tried/fuzz_estimators.json

lint: $(VENV)/.dev ### ruff and mypy
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: $(VENV)/.dev ### let ruff format the code
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

doctor: $(VENV)/.ready ## versions, BLAS, threads, cache folder, which data sources answer
	$(RUN) -m experiments.doctor

publish: $(VENV)/.ready ## finished cells from runs/ to results/records, and all that is made of them
	$(RUN) -m experiments.publish records
	$(MAKE) tables
	$(RUN) -m experiments.publish figures
	$(RUN) -m experiments.report
	$(RUN) -m experiments.texts.frontpage
	$(MAKE) article
	$(RUN) -m experiments.texts.crate

tables: $(VENV)/.ready ## write results/tables from the published records, without a run
	$(RUN) -m experiments.publish tables

verify-store: $(VENV)/.ready ## check every digest, count and range of the published records
	$(RUN) -m experiments.records verify

check-registration: $(VENV)/.ready ## fail if what was fixed before the first record changed, or was not kept to
	$(RUN) -m experiments.registration check

verify-records: $(VENV)/.ready ## rerun published cells drawn by lot; fail if any column but a time differs
	$(RUN) -m experiments.verify

verify-records-cheap: $(VENV)/.ready ### the same on two quick cells per experiment, as CI does
	$(RUN) -m experiments.verify --cells 2 --max-seconds 3

COMPILE := uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-header --no-annotate pyproject.toml
lock: ### pin requirements/*.lock anew for all supported Pythons (needs uv)
	$(COMPILE) --extra study -o requirements/study.lock
	$(COMPILE) --extra study --extra dask --extra onnx --extra launchers --extra article --extra dev -c requirements/study.lock -o requirements/dev.lock
	$(COMPILE) --extra docs --extra article -c requirements/dev.lock -o requirements/docs.lock

# BENCH='--environments FOLDER' keeps the peers' environments there for another run.
bench: $(VENV)/.dev ## time tasks against peers and the limit; published if the machine was quiet
	$(RUN) -m bench $(BENCH)

bench-check: $(VENV)/.dev ### fail if a small fit takes half as much again over its bare products as it did
	$(RUN) -m bench --check

wheel: $(VENV)/.dev ### build dist/celm-*.whl: the library alone
	$(RUN) -m flit_core.wheel --outdir dist

wheel-check: wheel ## install the wheel alone, newest and lowest versions, and fit there
	$(RUN) scripts/check_wheel.py dist/celm-*.whl

clean: ### remove the environment and the local store
	rm -rf $(VENV) runs outputs

# cffconvert pins old libraries: it has an environment of its own, thrown away after.
check-citation: ### validate CITATION.cff by its schema
	$(PYTHON) -m venv build/citation && build/citation/bin/pip install --quiet cffconvert==2.0.0
	build/citation/bin/cffconvert --validate -i CITATION.cff; status=$$?; rm -rf build/citation; exit $$status

check-container: ### run the steps of the Containerfile in a clean copy, without an engine (as long as the two commands)
	$(PYTHON) scripts/check_container.py
