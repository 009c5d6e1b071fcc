# Everything a newcomer or CI needs. `make` alone lists the targets.

SWIFT ?= swift
PYTHON ?= python3
SOURCES = Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

.DEFAULT_GOAL := help
.PHONY: help demo counter tasks service release test soak tsan bench bench-keep bench-check bench-plots \
	bench-instructions bench-weights lint format docs setup

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tasks ## set up and start the demo

tasks: setup ## set up and start the task list
	$(SWIFT) build --product TaskListDemo
	@scripts/run "$$($(SWIFT) build --show-bin-path)/TaskListDemo"

counter: setup ## set up and start the counter
	$(SWIFT) build --product CounterDemo
	@scripts/run "$$($(SWIFT) build --show-bin-path)/CounterDemo"

service: ## start the example of a service: http://127.0.0.1:8080
	$(SWIFT) run BookingOffice

release: setup ## build the demos as they are shipped: optimised, Swift's runtime inside
	$(SWIFT) build --configuration release --static-swift-stdlib --product CounterDemo
	$(SWIFT) build --configuration release --static-swift-stdlib --product TaskListDemo
	@echo "They are in $$($(SWIFT) build --configuration release --show-bin-path)."

test: setup ## set up and run every test
	$(SWIFT) test --disable-xctest

tsan: setup ## run every test under the thread sanitizer
	$(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan

soak: setup ## kill journaled processes by the hundred, tear logs at every byte, replay a million
	REACTOR_KILLS=200 $(SWIFT) test --disable-xctest --filter ReactorJournalTests

bench: ## measure: a table of ratios, everything beside its floor in the same run
	@Benchmarks/ratios.py

bench-keep: ## measure, and keep the ratios
	@Benchmarks/ratios.py --keep

bench-check: ## measure, and say what got worse than the kept ratios
	@Benchmarks/ratios.py --check

bench-plots: ## draw how cost grows into docs/performance.svg; needs matplotlib
	@$(PYTHON) Benchmarks/plots.py

bench-instructions: ## count the hot paths' instructions; needs valgrind
	@Benchmarks/instructions.py

bench-weights: ## weigh reactors that do nothing; fails if one is heavier than it may be
	@Benchmarks/weights.py

lint: ## check the formatting, the length of lines, and who names whom
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@scripts/check-dependencies

format: ## format everything
	$(SWIFT) format --in-place --recursive $(SOURCES)

docs: ## build the documentation into .build/docs; warnings are errors
	@scripts/docs

setup: # install what the demos link, if it is missing
	@scripts/setup
