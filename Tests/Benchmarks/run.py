"""Measures the server beside its peers: `Scripts/bench`, which prepares all that this needs.

Servers take turns within a round, and the tables show medians over rounds, so that a slow spell of
the machine falls on all of them.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import sys

import flows
import load
import report
import servers
from servers import WORK


def arguments(names):
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="length of one load")
    parser.add_argument("--waiters", type=int, default=10_000)
    parser.add_argument("--servers", default=",".join(names), help="which, of " + ", ".join(names))
    parser.add_argument("--base", default="c", help="the server that ratios are taken to")
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=PROGRAM",
                        help="another build of till-server, measured too")
    parser.add_argument("--skip", default="", help="any of load, wait, flow, disk")
    parser.add_argument("--out", default=f"{WORK}/results", help="a folder for table, JSON, plot")
    return parser.parse_args()


def choose(options, known):
    chosen = []
    for entry in options.beside:
        name, program = entry.split("=", 1)
        known[name] = servers.Till(name, program)
        chosen.append(name)
    for name in options.servers.split(","):
        if name not in known:
            sys.exit(f"bench: there is no server {name!r}")
        if reason := missing(known[name]):
            print(f"bench: goes on without {name}: {reason}", file=sys.stderr)
        else:
            chosen.append(name)
    return {name: known[name] for name in chosen}


def missing(server):
    """What a peer lacks here; nothing if it can be started."""
    program = server.parts[0][0] if isinstance(server, servers.Peer) else server.program
    if shutil.which(program) is None:
        return f"{os.path.basename(program)} is not there"
    lacks = os.environ.get("BENCH_WITHOUT", "").split()
    return "its packages could not be had" if server.name.split("-")[0] in lacks else None


def attempt(name, step, action, into):
    try:
        into.append(action())
    except servers.Conformance as fault:
        sys.exit(f"bench: {fault}")
    print(f"round {step} {name}: {brief(into[-1])}", file=sys.stderr, flush=True)


def brief(values):
    works = [f"{work} {values[work]['rate']:.0f}/s {values[work]['cpu']:.0f} µs"
             for work in report.WORKLOADS if work in values]
    if works:
        return ", ".join(works)
    return ", ".join(f"{key} {value:.1f}" for key, value in values.items())


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends too
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    known = servers.known()
    options = arguments(list(known))
    chosen = choose(options, known)
    names = list(chosen)
    os.makedirs(f"{WORK}/run", exist_ok=True)
    os.makedirs(options.out, exist_ok=True)
    outcome = {
        "machine": report.facts(), "base": options.base, "waiters": options.waiters,
        "rounds": options.rounds, "seconds": options.seconds,
        "load": {name: [] for name in names},
        "wait": {name: [] for name in names if chosen[name].waits}, "disk": [],
        "checkouts": {name: [] for name in names}, "lag": None, "help_ms": None,
    }
    has_till = os.access(flows.TILL, os.X_OK)
    if has_till:
        outcome["help_ms"] = load.help_ms(flows.TILL)
    skip = options.skip.split(",")
    for step in range(options.rounds):
        if "disk" not in skip:
            outcome["disk"].append(load.disk())
        turn = step % len(names)
        for name in names[turn:] + names[:turn]:
            server = chosen[name]
            if "load" not in skip:
                attempt(name, step, lambda: load.requests(server, options.seconds),
                        outcome["load"][name])
            if "wait" not in skip and server.waits:
                attempt(name, step, lambda: load.waits(server, options.waiters),
                        outcome["wait"][name])
            if "flow" not in skip and isinstance(server, servers.Till) and has_till:
                attempt(name, step, lambda: flows.checkouts(server, options.seconds),
                        outcome["checkouts"][name])
    if "flow" not in skip and has_till:
        outcome["lag"] = flows.sync_lag()
    for kind in ("load", "wait", "checkouts"):
        outcome[kind] = {name: rounds for name, rounds in outcome[kind].items() if rounds}
    finish(outcome, options.out)


def finish(outcome, folder):
    with open(f"{folder}/results.json", "w") as file:
        json.dump(outcome, file, indent=1)
    text = report.tables(outcome)
    with open(f"{folder}/table.md", "w") as file:
        file.write(text)
    print(text)
    if outcome["load"] and not report.plot(outcome, f"{folder}/plot.svg"):
        print("bench: no plot, since matplotlib is not there", file=sys.stderr)


main()
