# Each target works from a fresh clone. SwiftPM uses every core by itself and locks its build
# folder, so targets run one after another under `make -j` too.
.NOTPARALLEL:
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

SWIFT_SOURCES := Package.swift Modules Apps Tests Scripts Docs
# How long each fuzz target (`make fuzz SECONDS=600`) and the soak run, and how often `repeat` runs
# the tests.
FUZZ_SECONDS ?= $(or $(SECONDS),60)
SOAK_MINUTES ?= 10
REPEATS ?= 20
# How many worlds `simulate` plays, and from which seed on.
WORLDS ?= 5000
SEED ?= 1
# Those that write parts of Docs when TILL_WRITE_DOCS is set, and compare them when it is not.
DOCUMENT_TESTS := LifecycleDocumentTests|StatusDocumentTests|DiagramTests|ProviderMatrixTests
DOCUMENT_TESTS := $(DOCUMENT_TESTS)|CheckListTests|CommandPageTests
# What `check` runs.
SLOW := test-thread test-address fuzz kill-test matrix demo-broken new-provider-check repeat
SLOW += revert-fixes sweep disk soak load simulate openapi-check module-check operations-check
SLOW += conformance dashboard-check docs-check new-merchant-check mutants

.PHONY: help deps build release test lint format tidy docs portable examples demo demo-broken
.PHONY: run matrix matrix-quick template new-provider-check kill-test sweep disk soak load fuzz
.PHONY: simulate mutants openapi-check module-check operations-check conformance
.PHONY: dashboard-check docs-check new-merchant-check screenshots bench bench-quick
.PHONY: test-thread test-address repeat revert-fixes check clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

deps: ## Install the Debian packages that are missing (or print how)
	@Scripts/install-deps

build: deps ## Build everything, debug
	@Scripts/swiftpm build

release: deps ## Build the three programs, optimised
	@for program in till till-server till-app; do \
	  Scripts/swiftpm build -c release --product $$program; done

test: lint examples template matrix-quick ## Formatting, portable graph, build, 40 stories, tests
	@Scripts/run-tests

lint: ## Check the formatting
	@swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format: ## Format the sources in place
	@swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

tidy: deps ## Check the house rules alone (they are part of test)
	@Scripts/run-tests --filter TidyTests

docs: deps ## Write the parts of Docs that come from code, and all as HTML below .build/docs
	@TILL_WRITE_DOCS=1 Scripts/run-tests --filter "$(DOCUMENT_TESTS)"
	@$(MAKE) docs-check

docs-check: ## Write Docs as HTML below .build/docs, and follow every link of it
	@Scripts/install-deps graphviz pandoc python3
	@Scripts/docs-html

template: deps ## Write a new provider into a copy, and build its module and sandbox
	@Scripts/new-provider-check modules

new-provider-check: deps ## Write a new provider into a copy, build it, and see what it has to do
	@Scripts/new-provider-check

new-merchant-check: deps ## Make copies with two providers and with one, build and test (12 minutes)
	@Scripts/new-merchant-check

portable: deps ## Build the part that an iOS app takes, and each Core module by itself
	@Scripts/check-core-alone

examples: portable ## Compile the app of Docs/iOS.md against stand-ins for Apple's frameworks
	@Scripts/check-examples

demo: build ## Play every story with real processes on loopback
	@.build/debug/till-app demo

demo-broken: build ## Show that the stories catch a kit that is broken on purpose
	@Scripts/demo-broken

run: build ## Keep a sandbox and a server up until Ctrl-C
	@.build/debug/till run

matrix: build ## Play every story at every way of showing every page (about 2 minutes)
	@.build/debug/till-app matrix

matrix-quick: build ## Play 40 runs of the matrix that stand for all (part of test)
	@.build/debug/till-app matrix --pairwise

kill-test: build ## Kill server and app at every step; each story must still end right
	@Scripts/kill-test

sweep: release ## Kill the release server and app at every system call that writes or talks
	@Scripts/install-deps strace
	@.build/release/till-app sweep

soak: release ## Let payers come for SOAK_MINUTES with faults on and the server killed now and then
	@.build/release/till-app soak --minutes $(SOAK_MINUTES)

load: release ## Write and read with 16 each, on one server and two; read all writes back
	@.build/release/till-app load

disk: release ## Let the disk of the release server and app go bad at every part of a payment
	@Scripts/install-deps strace
	@.build/release/till-app disk

simulate: deps ## Play WORLDS simulated worlds from SEED on, each twice with the same trace
	@Scripts/swiftpm build -c release --product till-app
	@.build/release/till-app simulate --runs $(WORLDS) --seed $(SEED) --twice

operations-check: build ## Have systemd read the units, and hold the alerts against the metrics
	@Scripts/operations-check

module-check: deps ## Take each module alone, with the example of its page, and see what it links
	@Scripts/module-check

openapi-check: build ## Hold a running server against its OpenAPI document (validator, schemathesis)
	@Scripts/openapi-check

conformance: build ## Judge the server and a naive backend by the providers' checklists
	@Scripts/conformance

dashboard-check: build ## Use the dashboard in headless Chromium, and measure its pages
	@Scripts/dashboard-check

screenshots: build ## Take the pictures of Docs/Images anew
	@Scripts/screenshots

bench: deps ## Measure the release server beside a C ceiling, Express and FastAPI (half an hour)
	@for program in till till-server; do Scripts/swiftpm build -c release --product $$program; done
	@Scripts/bench

bench-quick: deps ## Measure the release server beside the C ceiling (2 minutes)
	@Scripts/swiftpm build -c release --product till-server
	@Scripts/bench --quick

mutants: deps ## Break the kit in each way it knows; simulated worlds must find every one
	@Scripts/swiftpm build -c release --traits FaultInjection --scratch-path .build/faults \
	  --product till-app
	@.build/faults/release/till-app mutants

fuzz: deps ## Fuzz the parsers, SECONDS each (60 unless told)
	@Scripts/fuzz $(FUZZ_SECONDS)

test-thread: deps ## Run every test under ThreadSanitizer
	@Scripts/run-tests --sanitize thread --scratch-path .build/thread

test-address: deps ## Run every test under AddressSanitizer
	@Scripts/run-tests --sanitize address --scratch-path .build/address

repeat: deps ## Run every test REPEATS times, to find the one that is flaky
	@for run in $$(seq $(REPEATS)); do Scripts/run-tests; done

revert-fixes: deps ## Take fixes of field bugs back one at a time; tests must turn red each time
	@Scripts/revert-fixes

check: $(SLOW) ## Everything that takes long

clean: ## Remove everything that was built
	@rm -rf .build
