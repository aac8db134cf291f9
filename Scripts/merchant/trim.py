"""Turns a copy of the tree into a merchant's own: leaves out the providers that were not chosen and
what is there to develop the kit itself, and tells what was left out and why."""

import pathlib
import re
import shutil
import sys

NAMES = {"tabby": "Tabby", "futa": "Futa", "rais": "Rais", "tebex": "Tebex", "seb": "SEB"}

# Targets that are there to develop the kit, or that need every provider.
DROPPED = {
    "Simulation": "simulated worlds play all providers at once",
    "PaymentOracle": "the judge of simulated worlds",
    "till-app": "the stories and its matrix play all providers",
    "SimulationTests": "of Simulation",
    "PaymentOracleTests": "of PaymentOracle",
    "FuzzProperties": "fuzzes the answers of all providers",
    "FuzzPropertiesTests": "of FuzzProperties",
    "IntegrationTests": "one bench for each provider, and the stories",
    "ConformanceTests": "hold every provider's checklist against two backends",
    "TidyTests": "hold all documents, scripts and targets of the kit together",
}
# Files of kept targets that belong to those.
FILES = {
    "Modules/Features/Bootstrap": (
        "DiskCommand LiveStage LiveStage+Disk LiveStage+Load LiveStage+Stage "
        "LiveStages LoadCommand MatrixCommand MutantsCommand RunOutput+Live "
        "MutationProof Silence SimulateCommand SimulationReport SimulationScratch SimulationTelling "
        "SimulationWorkers SoakCommand SweepCommand TillAppProgram Tracer"
    ),
    "Tests/BootstrapTests": (
        "DocumentedCommandTests LiveEvidenceTests LivePageTests LiveProviderTests LiveServerTests "
        "LiveWorld ProviderMatrixTests SimulateCommandTests SimulationTellingTests "
        "SimulationWorkersTests"
    ),
    "Tests/CheckoutLifecycleTests": "ConformanceDocumentTests",
    "Tests/MerchantCommandsTests": "CommandPageTests",
}
FOLDERS = (
    "Tests/Fuzz Tests/Fixtures/Worlds Tests/NaiveBackend Docs/Examples Docs/Conformance "
    "Scripts/dashboard Scripts/example-stand-ins Scripts/example-stories "
    "Scripts/provider-template Scripts/merchant"
).split()
PAGES = (
    "Docs/Simulation.md Docs/Performance.md Docs/Testing.md Docs/Adding-a-provider.md "
    "Docs/Adopt.md Docs/iOS.md Docs/Android.md Docs/Commands.md CONTRIBUTING.md CHANGELOG.md "
    "Docs/Modules/README.md Docs/Providers/README.md"
).split()
SCRIPTS = {"check-planted", "docs", "docs-html", "install-deps", "operations-check",
           "planted-words", "run-tests", "swiftpm"}
# Where each provider has lines of its own and nothing else on them.
LISTS = ["ServerConfiguration", "ServerConfiguration+Providers", "ServerComposition",
         "Doctor+Accounts", "DemoShop", "LocalStack", "Init/AccountDraft"]

MAKEFILE = """.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

.PHONY: help deps build release test lint format run docs-check clean

help: ## List the targets
\t@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\\n", $$1, $$2 }' Makefile

deps: ## Install the Debian packages that are missing (or print how)
\t@Scripts/install-deps

build: deps ## Build everything, debug
\t@Scripts/swiftpm build

release: deps ## Build the two programs, optimised
\t@for program in till till-server; do \\
\t  Scripts/swiftpm build -c release --product $$program; done

test: deps ## Every test
\t@Scripts/run-tests

lint: ## Check the formatting
\t@swift format lint --strict --parallel --recursive Package.swift Modules Apps Tests

format: ## Format the sources in place
\t@swift format --in-place --parallel --recursive Package.swift Modules Apps Tests

run: build ## Keep a sandbox and a server up until Ctrl-C
\t@.build/debug/till run

docs-check: ## Write Docs as HTML below .build/docs, and follow every link of it
\t@Scripts/install-deps graphviz pandoc python3
\t@Scripts/docs-html

clean: ## Remove everything that was built
\t@rm -rf .build
"""

README = """# {name}

A merchant's backend for hosted-checkout payments, in Swift 6 on Linux, made from Tillkit for:
{who}.

```sh
make run     # sandbox, server and dashboard on this machine; prints addresses and keys
make test
```

- [Architecture](Docs/Architecture.md): what each signal may do, and where state changes.
- [Operations](Docs/Operations.md): every setting, variable, signal and exit code.
- [Going live](Docs/GoLive/README.md): what must be so before real money moves.
- The shop's own parts are three small interfaces: `OrderSource`, `BuyerSource` and
  `CallerAuthenticator` ([MerchantServer](Docs/Modules/MerchantServer.md)). Bootstrap has ones over
  files, to be replaced.

## Left out of Tillkit

{left}
"""


class Trim:
    def __init__(self, folder, name, chosen):
        self.root, self.name = pathlib.Path(folder), name
        self.chosen = [word for word in NAMES if word in chosen]
        self.gone = [word for word in NAMES if word not in chosen]
        self.left = []

    def remove(self, path):
        full = self.root / path
        if full.is_dir():
            shutil.rmtree(full)
        elif full.exists():
            full.unlink()

    def edit(self, path, change):
        full = self.root / path
        full.write_text(change(full.read_text()))

    def run(self):
        dropped = dict(DROPPED)
        for word in self.gone:
            title = NAMES[word]
            dropped[f"{title}Provider"] = dropped[f"{title}ProviderTests"] = "not chosen"
            self.remove(f"Docs/Providers/{word}.md")
            self.remove(f"Docs/GoLive/{word}.md")
            bootstrap = "Modules/Features/Bootstrap"
            for file in (f"ServerConfiguration+{title}", f"Doctor+{title}",
                         f"GoLive/LiveChecks+{title}", f"Init/AccountDraft+{title}"):
                self.remove(f"{bootstrap}/{file}.swift")
            self.remove(f"Tests/BootstrapTests/{title}ConfigurationTests.swift")
        if "tabby" in self.gone:
            dropped["BootstrapTests"] = "their sample shop has an account at Tabby"
        for target, why in dropped.items():
            for layer in ("Modules/Core", "Modules/Providers", "Modules/Features", "Apps", "Tests"):
                self.remove(f"{layer}/{target}")
            self.remove(f"Docs/Modules/{target}.md")
            self.left.append((target, why))
        for folder, files in FILES.items():
            for file in files.split():
                self.remove(f"{folder}/{file}.swift")
        self.left.append(("some files of Bootstrap and of three test targets",
                          "they serve the targets above, or read documents that were cut"))
        for path in FOLDERS + PAGES:
            self.remove(path)
        for script in (self.root / "Scripts").iterdir():
            if script.name not in SCRIPTS:
                self.remove(f"Scripts/{script.name}")
        self.manifest(set(dropped))
        self.lines()
        self.documents()

    def manifest(self, dropped):
        def change(text):
            out, entry, depth = [], [], 0
            for line in text.split("\n"):
                begins = re.match(r"  (module|tests|app|system|\.target)\(", line)
                if depth == 0 and not begins:
                    out.append(line)
                    continue
                entry.append(line)
                depth += line.count("(") - line.count(")")
                if depth == 0:
                    whole = "\n".join(entry)
                    words = re.findall(r'"([\w-]+)"', whole)
                    isModule = entry[0].startswith("  module(")
                    # What makes targets names none itself.
                    if not words or words[1 if isModule else 0] not in dropped:
                        out.append(whole)
                    entry = []
            text = "\n".join(out)
            for word in sorted(dropped):
                text = re.sub(rf' *\.executable\(name: "{word}".*\n', "", text)
                text = re.sub(rf'"{word}",? ?', "", text)
            text = re.sub(r"// What the fuzz program.*?\n\n", "", text, flags=re.S)
            text = text.replace(" + fuzzProducts", "").replace('"Tillkit"', f'"{self.name}"')
            # A list that has become empty, and lines that have.
            text = re.sub(r",\s*\[\s*\]\)", ")", text)
            return re.sub(r"\n[ \t]+(?=\n)", "", text)

        self.edit("Package.swift", change)

    def lines(self):
        words = "|".join(rf"{word}|{NAMES[word]}\w*" for word in self.gone)
        own = re.compile(rf"(?<!\w)({words})(Providers)?(?!\w)|(?<!\w)({'|'.join(self.gone)})"
                         r"(Account|KeyChecks|Lookup|Draft)\(?") if self.gone else None

        def change(text):
            if not self.gone:
                return text
            text = text.replace("hasTabby: !tabby.isEmpty",
                                "hasTabby: " + ("!tabby.isEmpty" if "tabby" in self.chosen
                                                else "false"))
            for word in self.gone:
                text = re.sub(rf"  private func {word}Account\(.*?\n  }}\n\n", "", text, flags=re.S)
            if "tabby" in self.gone:
                text = re.sub(
                    r"  private func account\(_ sandbox.*?\n  }\n\n", "", text, flags=re.S)
                text = re.sub(r'.*name: "tabby", value.*\n', "", text)
                text = re.sub(r".*\(till\) checkout create --item lamp\n", "", text)
            return "\n".join(line for line in text.split("\n") if not self.isOwn(own, line))

        for file in LISTS:
            self.edit(f"Modules/Features/Bootstrap/{file}.swift", change)
        self.edit("Modules/Features/Bootstrap/LocalStack.swift", self.greeting)
        commands = "Modules/Features/MerchantCommands"
        self.edit(f"{commands}/TillCommand.swift", lambda text: text.replace(
            'usualProvider = "tabby"', f'usualProvider = "{self.chosen[0]}"'))
        self.edit(f"{commands}/InitCommand.swift", lambda text: self.examples(text).replace(
            "with commas between: tabby,seb", f"with commas between: {','.join(self.chosen)}"))

    def examples(self, text):
        """Commands that name providers, with those that are there."""
        text = text.replace("--providers tabby,seb", f"--providers {','.join(self.chosen)}")
        return text.replace("--providers futa", f"--providers {self.chosen[0]}")

    @staticmethod
    def greeting(text):
        """What `till run` says, without the app that is not there and codes of other providers."""
        text, count = re.subn(
            r"      The app without a screen.*?(?=      What else there is)",
            "      Open the URL that it prints: the page says what to type. The way back to the\n"
            "      shop is a link into the app, which a browser without the app does not follow;\n"
            "      the order is paid all the same.\n", text, flags=re.S)
        text, phones = re.subn(
            r"    // It goes with the stack: [^\n]*\n    let phone = [^\n]*\n", "", text)
        if (count, phones) != (1, 1):
            sys.exit("new-merchant: LocalStack greets in other words: this script has to follow it")
        return text

    @staticmethod
    def isOwn(own, line):
        """Whether a line is about a provider alone; secrets and texts of the demo stay."""
        text = line.strip()
        if not own.search(text):
            return False
        return (text.startswith(("import ", "JSONMember(name:", "\\(till)"))
                or text.startswith("settings.server.lookup")
                or re.match(r"var \w+: \[\w+Configuration\]$", text)
                or re.match(r'"\w+",$', text) or re.match(r"\w+ = try Self\.", text)
                or re.match(r"\w+\.map \{ \(AccountKey", text)
                or re.match(r'\("\w+", \w+Draft\(sandbox\)\),$', text)
                or re.match(r"\w+(Providers\(transport|KeyChecks\()", text))

    def documents(self):
        left = "\n".join(f"- {what}: {why}" for what, why in self.left)
        who = ", ".join(NAMES[word] for word in self.chosen)
        (self.root / "README.md").write_text(README.format(name=self.name, who=who, left=left))
        (self.root / "Makefile").write_text(MAKEFILE)
        link = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
        for page in self.root.rglob("*.md"):
            def kept(found, page=page):
                target = found.group(3)
                if "://" in target or (page.parent / target).exists():
                    return found.group(0)
                return found.group(2)
            page.write_text(self.examples(link.sub(kept, page.read_text())))
        for what, why in self.left:
            print(f"left out: {what} ({why})")


folder, name, chosen = sys.argv[1:]
Trim(folder, name, chosen.split(",")).run()
