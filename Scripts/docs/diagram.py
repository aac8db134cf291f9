"""Draws one of the documents' Mermaid diagrams as SVG: text on standard input, SVG on standard
output. Graphs and states go through Graphviz, sequences are drawn here. It knows what the documents
use of Mermaid; a line that it does not know ends it with 1, so that no part is left out in silence.
"""

import html
import re
import subprocess
import sys


def unknown(line):
    sys.exit(f"diagram.py: a line of a diagram that is not known: {line.strip()}")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def flowchart(lines):
    """`A --> B`, names alone, and `subgraph A` to `end`; an arrow may lead to a subgraph."""
    direction = lines[0].split()[1]
    groups, edges, open_group = {}, [], None
    for line in map(str.strip, lines[1:]):
        if found := re.fullmatch(r"subgraph ([\w-]+)", line):
            open_group = found[1]
            groups[open_group] = []
        elif line == "end" and open_group:
            open_group = None
        elif found := re.fullmatch(r"([\w-]+) --> ([\w-]+)", line):
            edges.append(found.groups())
        elif open_group and re.fullmatch(r"[\w-]+", line):
            groups[open_group].append(line)
        else:
            unknown(line)
    if groups:
        # A layer is one box with what is in it; arrows from or to one of its modules have its name.
        owner = {name: group for group, names in groups.items() for name in names}
        yield from graph_head("TB")
        for group, names in groups.items():
            rows = ["<b>" + group + "</b>"] + [", ".join(names[start:start + 4])
                                               for start in range(0, len(names), 4)]
            yield f"{quoted(group)} [label=<{'<br/>'.join(rows)}>]"
        for tail, head in edges:
            from_one = owner.get(tail)
            label = f" [label={quoted(tail)}]" if from_one else ""
            yield f"{quoted(from_one or tail)} -> {quoted(owner.get(head) or head)}{label}"
    else:
        yield from graph_head(direction)
        for tail, head in edges:
            yield f"{quoted(tail)} -> {quoted(head)}"
    yield "}"


def states(lines):
    """`A --> B`, with a label behind a colon; `[*]` is where it begins."""
    yield from graph_head("TB")
    yield '"[*]" [label="", shape=circle, width=0.15, style=filled, fillcolor=black]'
    for line in map(str.strip, lines[1:]):
        found = re.fullmatch(r"(\[\*\]|\w+) --> (\w+)(?:\s*:\s*(.+))?", line)
        if not found:
            unknown(line)
        words = (found[3] or "").replace(", ", "\n").replace("\n", "\\n")
        yield f"{quoted(found[1])} -> {quoted(found[2])} [label=\"{words}\"]"
    yield "}"


def graph_head(direction):
    yield "digraph {"
    yield f'rankdir={direction}; bgcolor=transparent; ranksep=0.45; nodesep=0.3'
    yield 'node [shape=box, style=rounded, fontname="Helvetica,Arial,sans-serif", fontsize=13]'
    yield 'edge [fontname="Helvetica,Arial,sans-serif", fontsize=11, arrowsize=0.7]'


def graphviz(text):
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True)
    # From the element on: no declaration, no comment with a program's version.
    svg = re.sub(r"<!--.*?-->\n?", "", drawn.stdout[drawn.stdout.index("<svg"):], flags=re.S)
    # One with very many arrows can only be read in its full size.
    return svg.replace("<svg ", '<svg class="large" ', 1) if text.count("->") > 30 else svg


COLUMN = 330
STEP = 34
TOP = 44


def sequence(lines):
    """Participants, messages with `->>` or `-->>`, and notes over several of them."""
    names, steps = {}, []
    for line in map(str.strip, lines[1:]):
        if found := re.fullmatch(r"participant (\w+) as (.+)", line):
            names[found[1]] = found[2]
        elif found := re.fullmatch(r"(\w+)(-{1,2})>>(\w+): (.+)", line):
            steps.append(found.groups())
        elif found := re.fullmatch(r"Note over (\w+),(\w+): (.+)", line):
            steps.append((found[1], "note", found[2], found[3]))
        else:
            unknown(line)
    place = {name: 110 + COLUMN * index for index, name in enumerate(names)}
    width, height = place[list(names)[-1]] + 110 + 130, TOP + STEP * (len(steps) + 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
           '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
           'markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="black"/></marker></defs>']
    for name, title in names.items():
        x = place[name]
        out.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{height - 8}" stroke="black" '
                   'stroke-opacity="0.35"/>'
                   f'<rect x="{x - 60}" y="8" width="120" height="28" rx="6" fill="none" '
                   f'stroke="black"/><text x="{x}" y="27" text-anchor="middle" '
                   f'font-weight="bold">{html.escape(title)}</text>')
    for index, (tail, kind, head, text) in enumerate(steps):
        y, left, right = TOP + STEP * (index + 1), place[tail], place[head]
        text = html.escape(text)
        if kind == "note":
            out.append(f'<rect x="{left - 60}" y="{y - 18}" width="{right - left + 120}" '
                       'height="24" rx="4" fill="black" fill-opacity="0.08"/>'
                       f'<text x="{(left + right) / 2}" y="{y - 1}" text-anchor="middle" '
                       f'font-style="italic">{text}</text>')
            continue
        if tail == head:
            out.append(f'<circle cx="{left}" cy="{y - 4}" r="4" fill="black"/>'
                       f'<text x="{left + 12}" y="{y}">{text}</text>')
            continue
        dashes = ' stroke-dasharray="6 4"' if kind == "--" else ""
        out.append(f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" stroke="black"{dashes} '
                   f'marker-end="url(#head)"/><text x="{(left + right) / 2}" y="{y - 5}" '
                   f'text-anchor="middle">{text}</text>')
    return "\n".join(out + ["</svg>"])


def main():
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()]
    kind = lines[0].split()[0]
    if kind == "flowchart":
        print(graphviz("\n".join(flowchart(lines))))
    elif kind == "stateDiagram-v2":
        print(graphviz("\n".join(states(lines))))
    elif kind == "sequenceDiagram":
        print(sequence(lines))
    else:
        unknown(lines[0])


main()
