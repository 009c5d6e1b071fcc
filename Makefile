# Everything a newcomer or CI needs. `make` alone lists the targets.

SWIFT ?= swift
PYTHON ?= python3
WEB = Examples/RepositoryDemo
# SwiftPM hands a package's traits to the compiler in the order of a hashed set: in another one after each
# change of the plan, and then everything is compiled anew. So the set is hashed alike each time.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
SOURCES = Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources \
	Benchmarks/Journal/Package.swift Benchmarks/Journal/Sources Benchmarks/Service \
	Benchmarks/Cluster

.DEFAULT_GOAL := help
.PHONY: help demo counter tasks web service cluster release test test-scripts test-web test-all soak tsan bench bench-keep \
	bench-check bench-plots bench-journal bench-instructions bench-weights bench-service bench-web bench-cluster check-page \
	lint format docs pictures setup

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tasks ## set up and start the demo

tasks: setup-demo ## set up and start the task list
	$(BUILD) --product TaskListDemo
	@scripts/run "$$($(SWIFT) build --show-bin-path)/TaskListDemo"

counter: setup-demo ## set up and start the counter
	$(BUILD) --product CounterDemo
	@scripts/run "$$($(SWIFT) build --show-bin-path)/CounterDemo"

web: setup-web ## set up and start the live page: http://localhost:8080
	$(BUILD) --package-path $(WEB) --product RepositoryDemo
	@scripts/run "$$($(SWIFT) build --package-path $(WEB) --show-bin-path)/RepositoryDemo" \
		--inside --data $(WEB)/.build/data

service: setup-service ## set up and start the example of a service: http://127.0.0.1:8080
	$(BUILD) --product BookingOffice
	@$$($(SWIFT) build --show-bin-path)/BookingOffice

cluster: setup-cluster ## one counter on three hosts: started, typed at, one of them killed
	$(BUILD) --product ClusterDemo
	@scripts/cluster "$$($(SWIFT) build --show-bin-path)/ClusterDemo"

release: setup-demo ## build the demos as they are shipped: optimised, Swift's runtime inside
	$(BUILD) --configuration release --static-swift-stdlib --product CounterDemo
	$(BUILD) --configuration release --static-swift-stdlib --product TaskListDemo
	@echo "They are in $$($(SWIFT) build --configuration release --show-bin-path)."

# Hosts have leases of some seconds, by a real clock: a machine that runs everything else besides is as
# good as dead to them. So their tests run alone, one after the other.
CLUSTERS = ReactorDistributionTests|OnSeveralHostsTests

# A simulation's seed decides everything but the order of dictionaries, which this does.
CLUSTER_TEST = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) test --disable-xctest --no-parallel

test: setup ## set up and run every test
	$(BUILD) --build-tests
	$(SWIFT) test --disable-xctest --skip-build --skip "$(CLUSTERS)"
	$(CLUSTER_TEST) --skip-build --filter "$(CLUSTERS)"

test-scripts: ## test the scripts of this folder, in trees of their own
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest discover --start-directory scripts/tests --buffer

test-web: setup-test-web ## set up and run the live pages' tests, also in a real browser
	@scripts/check-page
	@scripts/test-web

test-all: export REACTOR_POSTGRES = 1
test-all: export REACTOR_SOAK = 60
test-all: setup-postgres test test-web ## run everything, also on a PostgreSQL server: what CI runs

tsan: setup ## run every test under the thread sanitizer
	$(BUILD) --build-tests --sanitize=thread --scratch-path .build/tsan
	$(SWIFT) test --disable-xctest --skip-build --sanitize=thread --scratch-path .build/tsan

soak: setup-postgres ## kill processes by the hundred, tear logs at every byte, a million keys
	$(BUILD) --build-tests
	REACTOR_KILLS=200 $(SWIFT) test --disable-xctest --skip-build --filter ReactorJournalTests
	REACTOR_KEYS=1000000 $(SWIFT) test --disable-xctest --skip-build --filter OnePerKeyTests
	REACTOR_SEEDS=10000 $(CLUSTER_TEST) --skip-build --filter OneWriterTests
	REACTOR_POSTGRES=1 REACTOR_SOAK=600 $(CLUSTER_TEST) --skip-build --filter ClusterSoakTests

bench: ## measure: a table of ratios, everything beside its floor in the same run
	@Benchmarks/ratios.py

bench-keep: ## measure, and keep the ratios
	@Benchmarks/ratios.py --keep

bench-check: ## measure, and say what got worse than the kept ratios
	@Benchmarks/ratios.py --check

bench-plots: ## draw how cost grows into docs/performance.svg; needs matplotlib
	@$(PYTHON) Benchmarks/plots.py

bench-journal: ## what keeping costs, beside plain rows in SQLite
	$(SWIFT) run --configuration release --package-path Benchmarks/Journal JournalRatios

bench-instructions: ## count the hot paths' instructions; needs valgrind
	@Benchmarks/instructions.py

bench-weights: ## weigh reactors that do nothing; fails if one is heavier than it may be
	@Benchmarks/weights.py

bench-service: ## measure a service beside one on bare actors, and live clients; needs wrk
	@Benchmarks/service.py

bench-web: setup-web ## load the live page: beside a bare actor, ten thousand visitors, live pages; needs wrk
	$(BUILD) --configuration release --package-path $(WEB) --product RepositoryDemo
	@$(WEB)/Tests/load

bench-cluster: setup-postgres ## measure one host and three on PostgreSQL, beside plain rows and plain HTTP
	@Benchmarks/cluster.py

check-page: ## look at the example's page in Chromium; needs chromium and chromedriver
	@scripts/check-page

lint: ## check the formatting, the length of lines, who names whom, versions, the pages' code, names and words, the promises' tests
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@scripts/check-dependencies
	@scripts/check-versions
	@scripts/check-promises
	@scripts/check-pages
	@scripts/check-names
	@scripts/check-prose

format: ## format everything
	$(SWIFT) format --in-place --recursive $(SOURCES)

docs: setup ## build the documentation into .build/docs; warnings are errors
	@scripts/docs

pictures: ## make the READMEs' pictures anew, from the real programs; needs tmux and Chromium
	@scripts/pictures
	@scripts/pictures web

setup: setup-test # install whatever is linked by anything, if it is missing

setup-%: # install what one target needs, if it is missing: setup-demo, setup-postgres
	@scripts/setup $*
