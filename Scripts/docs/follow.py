"""Follows every link of the HTML below a folder: copies from the tree what a page leads to and is
no page, and ends with 1 if anything leads nowhere, an anchor included."""

import html.parser
import pathlib
import shutil
import sys
import urllib.parse

# A browser scrolls to the beginning of a page by these.
TOP = {"", "top"}


class Page(html.parser.HTMLParser):
    """The ids and links of one page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(TOP), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.ids.add(values["id"])
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(values[name])


def listing(source, target):
    """Copies a folder that has no page of its own, and gives it one that names its files."""
    page = target / "index.html"
    if not page.exists():
        shutil.copytree(source, target, dirs_exist_ok=True)
        names = sorted(path.name for path in source.iterdir() if path.is_file())
        lines = "".join(f'<li><a href="{name}">{name}</a></li>' for name in names)
        page.write_text(f"<!DOCTYPE html><title>{source.name}</title><ul>{lines}</ul>")
    return page


def main(out, tree):
    out, tree = pathlib.Path(out).resolve(), pathlib.Path(tree).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(out.rglob("*.html"))}
    wrong, followed = [], 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            followed += 1
            target = path
            if url.path:
                target = (path.parent / urllib.parse.unquote(url.path)).resolve()
            if not target.is_relative_to(out):
                wrong.append(f"{path.relative_to(out)}: {link} leads out of the folder")
                continue
            source = tree / target.relative_to(out)
            if not target.exists() and source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
            if source.is_dir() and not target.is_file():
                target = listing(source, target)
            if not target.is_file():
                wrong.append(f"{path.relative_to(out)}: {link} leads nowhere")
            elif target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                wrong.append(f"{path.relative_to(out)}: {link} has no such place")
    for line in wrong:
        print(f"docs-html: {line}", file=sys.stderr)
    print(f"docs-html: {followed} links followed, {len(wrong)} wrong")
    return 1 if wrong or not followed else 0


sys.exit(main(*sys.argv[1:]))
