"""Medians over rounds, as Markdown tables and a picture."""

import os
import platform
import statistics
import subprocess

WORKLOADS = ("W1 c64", "W1 c1", "W2 c64", "W2 c1")


def facts():
    """The machine, as far as the figures depend on it; nothing that names it."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) // 1024
    with open("/etc/os-release") as file:
        system = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
    swift = first_line("swift", "--version")
    return {
        "processor": models[0] if models else platform.machine(), "cores": os.cpu_count(),
        "memory_mib": memory, "kernel": platform.release(),
        "system": system.get("PRETTY_NAME", "").strip('"'), "swift": swift,
        "sqlite": first_line("sqlite3", "--version").split(" ")[0],
        "node": first_line("node", "--version"),
        "load_before": round(os.getloadavg()[0], 2),
    }


def first_line(*command):
    try:
        out = subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""
    return out.splitlines()[0] if out else ""


def median(rounds, *path):
    values = []
    for value in rounds:
        for key in path:
            value = value[key]
        values.append(value)
    return statistics.median(values)


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*cells):
    return ["", row(*cells), "|" + "---|" * len(cells)]


def ratio(results, name, base, *path):
    if base not in results or not median(results[base], *path):
        return "–"
    return f"{median(results[name], *path) / median(results[base], *path):.2f}"


def load_table(results, base):
    lines = head("workload", "server", "requests/s (min..max)", f"× {base}", "p50 µs", "p99 µs",
                 "server CPU µs a request", f"× {base}", "cores", "errors")
    for work in WORKLOADS:
        for name, rounds in results.items():
            rates = [value[work]["rate"] for value in rounds]
            lines.append(row(
                work, name, f"{median(rounds, work, 'rate'):,.0f} "
                f"({min(rates):,.0f}..{max(rates):,.0f})",
                ratio(results, name, base, work, "rate"),
                f"{median(rounds, work, 'p50'):,.0f}", f"{median(rounds, work, 'p99'):,.0f}",
                f"{median(rounds, work, 'cpu'):.1f}", ratio(results, name, base, work, "cpu"),
                f"{median(rounds, work, 'cores'):.2f}",
                sum(value[work]["bad"] for value in rounds)))
    lines += head("server", "ready ms", "RSS idle MiB", "RSS loaded MiB", "JSON bytes",
                  "rows − answered (min..max)")
    for name, rounds in results.items():
        spare = [value["rows_minus_answered"] for value in rounds]
        lines.append(row(
            name, f"{median(rounds, 'ready_ms'):.0f}",
            f"{median(rounds, 'idle_kib') / 1024:.1f}",
            f"{median(rounds, 'loaded_kib') / 1024:.1f}", rounds[0]["json_bytes"],
            f"{min(spare)}..{max(spare)}"))
    return lines


def wait_table(waits, base, count):
    lines = head(f"W3, {count:,} waiters", "KiB a waiter", "RSS waiting MiB",
                 "commit answered ms", "first wake ms", "last wake ms (min..max)", f"× {base}",
                 "last wake, cold ms", "CPU ms for all", "unanswered", "W2 p99 µs alone, beside")
    for name, rounds in waits.items():
        lasts = [value["last_ms"] for value in rounds]
        lines.append(row(
            name, f"{median(rounds, 'kib_per_waiter'):.1f}",
            f"{median(rounds, 'waiting_kib') / 1024:.1f}",
            f"{median(rounds, 'commit_ms'):.1f}", f"{median(rounds, 'first_ms'):.1f}",
            f"{median(rounds, 'last_ms'):.1f} ({min(lasts):.1f}..{max(lasts):.1f})",
            ratio(waits, name, base, "last_ms"), f"{median(rounds, 'cold_last_ms'):.1f}",
            f"{median(rounds, 'wake_cpu_ms'):.0f}", sum(value["missing"] for value in rounds),
            f"{median(rounds, 'p99_alone'):,.0f}, {median(rounds, 'p99_beside'):,.0f}"))
    return lines


def checkout_table(checkouts, loads):
    lines = head("W4, 64 clients", "checkouts/s", "p50 µs", "p99 µs", "server CPU µs a request",
                 "× its own W1")
    for name, rounds in checkouts.items():
        cpu = statistics.median([value["cpu"] for value in rounds])
        own = f"{cpu / median(loads[name], 'W1 c64', 'cpu'):.1f}" if name in loads else "–"
        rate, p50, p99 = (statistics.median([value[key] for value in rounds])
                          for key in ("rate", "p50", "p99"))
        lines.append(row(name, f"{rate:,.0f}", f"{p50:,.0f}", f"{p99:,.0f}", f"{cpu:.0f}", own))
    return lines


def disk_table(disks):
    lines = head("disk, and SQLite alone", "a second: median (min..max)")
    for key in disks[0]:
        values = [value[key] for value in disks]
        lines.append(row(
            key.replace("_", " "),
            f"{statistics.median(values):,.0f} ({min(values):,.0f}..{max(values):,.0f})"))
    return lines


def tables(outcome):
    base, lines = outcome["base"], []
    if outcome["load"]:
        lines += load_table(outcome["load"], base)
    if outcome["wait"]:
        lines += wait_table(outcome["wait"], base, outcome["waiters"])
    if outcome["checkouts"]:
        lines += checkout_table(outcome["checkouts"], outcome["load"])
    if outcome["lag"]:
        lag = outcome["lag"]
        lines += ["", f"W5: a device hears {lag['p50_ms']:.0f} ms (median) or {lag['p99_ms']:.0f} ms "
                  f"(99th percentile of {lag['count']}) after its payer has confirmed."]
    if outcome["disk"]:
        lines += disk_table(outcome["disk"])
    if outcome["help_ms"]:
        lines += ["", f"`till --help` takes {outcome['help_ms']:.0f} ms (median of 20)."]
    return "\n".join(lines) + "\n"


def plot(outcome, path):
    """Requests a second and CPU a request, of all servers; False without the library."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "bench", "font.size": 9})
    from matplotlib import pyplot
    results = outcome["load"]
    names = list(results)[::-1]
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 0.9 + 0.6 * len(names)))
    for column, work in enumerate(("W1 c64", "W2 c64")):
        for line, (key, title) in enumerate((("rate", "requests/s"), ("cpu", "CPU µs a request"))):
            plane = axes[line][column]
            values = [median(results[name], work, key) for name in names]
            colours = ["#1b6ac9" if name.startswith("till") else "#9aa4b1" for name in names]
            bars = plane.barh(names, values, color=colours)
            plane.bar_label(bars, labels=[f"{value:,.0f}" for value in values], padding=3)
            plane.set_title(f"{work.split()[0]}: {title}", loc="left")
            plane.set_xlim(0, max(values) * 1.2)
            plane.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    return True
