"""Finds links of the site that lead nowhere: in pages, and in the data that DocC's pages show."""

import html.parser
import json
import pathlib
import re
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links, images and anchors of a page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "action") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


class Site:
    """A site in a folder, which a server shows at a path."""

    def __init__(self, folder, base="/"):
        self.folder = folder.resolve()
        self.base = base
        self.anchors_by_file = {}

    def problems(self):
        """Returns a sentence for each link that leads nowhere."""
        found = []
        for file in sorted(self.folder.rglob("*.html")):
            if file.is_relative_to(self.folder / "documentation"):
                found += self.problems_of(file, Page(file).links, checks_anchors=False)
            else:
                found += self.problems_of(file, Page(file).links, checks_anchors=True)
        for file in sorted((self.folder / "data").rglob("*.json")):
            found += self.problems_of(file, documentation_links(json.loads(file.read_text(encoding="utf-8")), self.base), True)
        return found

    def problems_of(self, file, links, checks_anchors):
        name = file.relative_to(self.folder)
        for link in sorted(set(links)):
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = self.target(file, address.path)
            if target is None:
                yield f"{name}: {link} leads nowhere"
            elif checks_anchors and address.fragment and not self.has_anchor(target, address.fragment):
                yield f"{name}: {link} names a part that the page doesn't have"

    def target(self, file, path):
        """Returns the file of an address; None if there is none."""
        path = urllib.parse.unquote(path)
        if not path:
            return file
        if path.startswith("/"):
            if not path.startswith(self.base):
                return None
            target = self.folder / path.removeprefix(self.base)
        else:
            target = file.parent / path
        if target.is_dir():
            target = target / "index.html"
        return target if target.is_file() else None

    def has_anchor(self, file, anchor):
        if file not in self.anchors_by_file:
            self.anchors_by_file[file] = self.anchors(file)
        known = self.anchors_by_file[file]
        return urllib.parse.unquote(anchor) in known

    def anchors(self, file):
        """Returns the anchors of a page, or of the data that a page of DocC shows."""
        if not file.is_relative_to(self.folder / "documentation"):
            return Page(file).anchors if file.suffix == ".html" else set()
        # Names of symbols contain dots, so this isn't a change of the suffix.
        data = pathlib.Path(f"{self.folder / 'data' / file.parent.relative_to(self.folder)}.json")
        if not data.is_file():
            return set()
        node = json.loads(data.read_text(encoding="utf-8"))
        return set(values(node, "anchor")) | {re.sub(r"\s", "-", title) for title in values(node, "title")}


def values(node, key):
    """Returns all texts with a key in a part of a page's data."""
    if isinstance(node, list):
        return [value for part in node for value in values(part, key)]
    if not isinstance(node, dict):
        return []
    own = [node[key]] if isinstance(node.get(key), str) else []
    return own + [value for part in node.values() for value in values(part, key)]


def documentation_links(node, base):
    """Returns the links in the data of a page of DocC, as addresses on the server."""
    for reference in node.get("references", {}).values():
        address = reference.get("url", "")
        if reference.get("type") in ("topic", "section") and address.startswith("/"):
            yield base.rstrip("/") + address
        for variant in reference.get("variants", []):
            if variant.get("url", "").startswith("/"):
                yield base.rstrip("/") + variant["url"]
