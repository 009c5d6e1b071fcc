# Everything that a contributor or CI runs. `make` alone lists the targets.

SWIFT ?= swift
export SWIFT
PYTHON ?= python3
WEB = Examples/RepositoryDemo
# Builds into .build/make; the script's head says how it differs from `swift build`.
BUILD = scripts/build
WEB_BUILD = REACTOR_BUILD=$(WEB)/.build/make $(BUILD) --package-path $(WEB)
SOURCES = Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources \
	Benchmarks/Journal/Package.swift Benchmarks/Journal/Sources Benchmarks/Service \
	Benchmarks/Cluster

.DEFAULT_GOAL := help
.PHONY: help demo timer counter tasks web service cluster release core console libedit journal values mutants test test-scripts test-web test-large \
	test-all test-loaded soak tsan bench bench-keep \
	bench-check bench-plots bench-journal bench-instructions bench-weights bench-user bench-service bench-web bench-cluster \
	check-page lint format docs pictures setup

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tasks ## set up and start the demo

tasks: setup-demo ## set up and start the task list
	@scripts/quietly build $(BUILD) --product TaskListDemo
	@scripts/run "$$($(BUILD) --show-bin-path)/TaskListDemo"

timer: setup-demo ## set up and start the egg timer, the smallest sample
	@scripts/quietly build $(BUILD) --product EggTimer
	@scripts/run "$$($(BUILD) --show-bin-path)/EggTimer"

counter: setup-demo ## set up and start the counter
	@scripts/quietly build $(BUILD) --product CounterDemo
	@scripts/run "$$($(BUILD) --show-bin-path)/CounterDemo"

web: setup-web ## set up and start the live page: http://localhost:8080
	$(WEB_BUILD) --product RepositoryDemo
	@scripts/run "$$($(WEB_BUILD) --show-bin-path)/RepositoryDemo" \
		--inside --data $(WEB)/.build/data

service: setup-service ## set up and start the example of a service: http://127.0.0.1:8080
	@scripts/quietly build $(BUILD) --product BookingOffice
	@$$($(BUILD) --show-bin-path)/BookingOffice

cluster: setup-cluster ## one counter on three hosts: started, typed at, one of them killed
	@scripts/quietly build $(BUILD) --product ClusterDemo
	@scripts/cluster "$$($(BUILD) --show-bin-path)/ClusterDemo"

release: setup-demo ## build the demos as they are shipped: optimised, Swift's runtime inside
	$(BUILD) --configuration release --static-swift-stdlib --product CounterDemo
	$(BUILD) --configuration release --static-swift-stdlib --product TaskListDemo
	@echo "They are in $$($(BUILD) --configuration release --show-bin-path)."

# Tests that depend on real time or need the whole machine: hosts with leases of some seconds, and PostgreSQL. They run
# after all others, three at once.
ALONE = $(shell $(PYTHON) scripts/check-tests --alone)
# In a simulated cluster a seed determines everything except the order of dictionaries, which this variable determines.
CLUSTERS = ^ReactorDistributionTests\.
# What is built and tested: `local` is all but servers and clusters, empty is everything.
PART = local
RUN_TESTS = failed=0; scripts/test $(TESTED) --name parallel --skip "$(ALONE)" --skip "$(CLUSTERS)" || failed=1; \
	[ "$(PART)" != local ] || exit $$failed; \
	SWIFT_DETERMINISTIC_HASHING=1 scripts/test $(TESTED) --name clusters --filter "$(CLUSTERS)" --skip "$(ALONE)" \
		|| failed=1; \
	SWIFT_DETERMINISTIC_HASHING=1 scripts/test $(TESTED) --name alone --width 3 --filter "$(ALONE)" || failed=1; \
	exit $$failed

core: setup-core ## build and test the core and its testing kit: run it after each edit
	@REACTOR_ONLY=core scripts/quietly build-core $(BUILD) --build-tests
	@scripts/test --name core --scratch-path .build/core

# Each line editor has a build folder of its own.
console: setup-console ## build and test consoles: with GNU readline, and with libedit in its place
	@REACTOR_ONLY=console scripts/quietly build-console $(BUILD) --build-tests
	@scripts/test --name console --scratch-path .build/console
	@$(MAKE) --no-print-directory libedit

libedit: setup-console # with libedit alone, as CI does
	@REACTOR_ONLY=console REACTOR_BUILD=.build/libedit scripts/quietly build-libedit $(BUILD) --build-tests \
		--traits Testing,Development,Libedit
	@scripts/test --name libedit --scratch-path .build/libedit

journal: setup-demo ## build and test the core and journals
	@REACTOR_ONLY=journal scripts/quietly build-journal $(BUILD) --build-tests
	@scripts/test --name journal --scratch-path .build/journal

values: ## build and test the targets without dependencies, in seconds: machines, ListChanges, CommandShell
	@REACTOR_ONLY=values scripts/quietly build-values $(BUILD) --build-tests
	@scripts/test --name values --scratch-path .build/values

mutants: ## make twenty mistakes in the machines, one at a time; the tests must find each
	@scripts/check-machines

test: setup ## set up and run the tests, with small counts, but for those of servers and clusters
	@[ -n "$(REACTOR_BUILT)" ] || REACTOR_ONLY=$(PART) scripts/quietly build $(BUILD) --build-tests
	@$(RUN_TESTS)

test-scripts: ## test the scripts, in temporary trees
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest discover --start-directory scripts/tests --buffer

test-web: setup-test-web ## set up and run the tests of the live pages, also in a browser
	@scripts/check-page
	@scripts/test-web

# The counts of Tests/TestLimits/TestCounts.swift, whose defaults are small: larger here, and the largest below.
test-large: PART =
test-large: export REACTOR_POSTGRES = 1
test-large: export REACTOR_SEEDS = 300
test-large: export REACTOR_HISTORIES = 100
test-large: export REACTOR_HOST_KILLS = 3
test-large: export REACTOR_HAMMER = 30
test-large: export REACTOR_KILLS = 5
test-large: export REACTOR_DAMAGE = 200
test-large: export REACTOR_KEYS = 20000
test-large: export REACTOR_ENTRIES = 100000
test-large: export REACTOR_STEPS = 10000
test-large: export REACTOR_LEVELS = 10000
test-large: export REACTOR_SOAK = 30
test-large: setup-postgres test ## run every test with large counts, also of servers, clusters and PostgreSQL

test-all: test-large test-web ## run test-large and test-web, as CI does

soak: PART =
soak: export REACTOR_POSTGRES = 1
soak: export REACTOR_SEEDS = 10000
soak: export REACTOR_HISTORIES = 10000
soak: export REACTOR_HOST_KILLS = 200
soak: export REACTOR_HAMMER = 100
soak: export REACTOR_KILLS = 200
soak: export REACTOR_DAMAGE = 10000
soak: export REACTOR_KEYS = 1000000
soak: export REACTOR_ENTRIES = 1000000
soak: export REACTOR_STEPS = 100000
soak: export REACTOR_LEVELS = 1000000
soak: export REACTOR_SOAK = 600
soak: export REACTOR_PATIENCE = 30
soak: setup-postgres test ## run every test with the largest counts: hours

test-loaded: setup ## run every test three times, beside eight busy processes
	@scripts/quietly build $(BUILD) --build-tests
	@scripts/loaded 8 $(MAKE) --no-print-directory test PART=
	@scripts/loaded 8 $(MAKE) --no-print-directory test PART=
	@scripts/loaded 8 $(MAKE) --no-print-directory test PART=

tsan: PART =
tsan: export REACTOR_PATIENCE = 10
tsan: TESTED = --scratch-path .build/tsan
tsan: setup ## run every test under the thread sanitizer
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	@$(RUN_TESTS)

bench: ## measure: a table of ratios, each workload beside its floor in the same run
	@Benchmarks/ratios.py

bench-keep: ## measure, and keep the ratios
	@Benchmarks/ratios.py --keep

bench-check: ## measure, and fail if a ratio is worse than the kept one
	@Benchmarks/ratios.py --check

bench-plots: ## draw docs/performance.svg, the growth of costs; needs matplotlib
	@$(PYTHON) Benchmarks/plots.py

bench-journal: ## measure journals, beside plain rows in SQLite
	$(SWIFT) run --configuration release --package-path Benchmarks/Journal JournalRatios

bench-instructions: ## count the instructions of the hot paths; needs valgrind
	@Benchmarks/instructions.py

bench-weights: ## measure the memory of idle reactors; fails if one exceeds its limit
	@Benchmarks/weights.py

bench-user: ## measure the build time and size of a ten-line program, beside one without Reactor
	@Benchmarks/user.py

bench-service: ## measure a service beside one on plain actors, and live clients; needs wrk
	@Benchmarks/service.py

bench-web: setup-web ## load the live page with ten thousand visitors, beside a plain actor; needs wrk
	$(WEB_BUILD) --configuration release --product RepositoryDemo
	@$(WEB)/Tests/load

bench-cluster: setup-postgres ## measure one host and three on PostgreSQL, beside plain rows and plain HTTP
	@Benchmarks/cluster.py

check-page: ## check the example's page in Chromium; needs chromium and chromedriver
	@scripts/check-page

lint: ## check formatting, dependencies, versions, pages, prose, and the tests of promises
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@scripts/check-dependencies
	@scripts/targets
	@scripts/check-versions
	@scripts/check-promises
	@scripts/check-tests
	@scripts/check-pages
	@scripts/check-names
	@scripts/check-messages
	@scripts/check-samples
	@scripts/check-seeds
	@scripts/check-prose

format: ## format everything
	$(SWIFT) format --in-place --recursive $(SOURCES)

docs: setup ## build the documentation into .build/docs; warnings are errors
	@scripts/docs

pictures: ## make the pictures of the READMEs from the programs; needs tmux and Chromium
	@scripts/pictures
	@scripts/pictures web

setup: setup-test # install all linked libraries that are missing

setup-%: # install what one target needs and the system lacks: setup-demo, setup-postgres
	@scripts/setup $*
