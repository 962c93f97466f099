"""Checks the site in a folder: its links, and its pages in headless Chromium at several sizes, light and dark.

    check.py FOLDER [--base PATH] [--pictures FOLDER]
    check.py --self-test

A page must have no horizontal scroll bar, one visible heading of the first level, text with the contrast of WCAG AA, names for all
controls, readable lines, and no errors of scripts or requests. Pictures are for people: fonts differ between machines, so they
are compared with nothing. The self-test makes pages with one mistake each, and fails if a mistake isn't found.
"""

import argparse
import contextlib
import functools
import http.server
import itertools
import json
import pathlib
import re
import sys
import tempfile
import threading

import browser
import layout
import links

HERE = pathlib.Path(__file__).parent
FACTS = (HERE / "facts.js").read_text(encoding="utf-8")

# The pages that stand for all of their kind, and what is true when each is complete.
IS_LOADED = "document.readyState === 'complete'"
HAS_DOCUMENTATION = f"{IS_LOADED} && document.querySelector('.documentation-hero h1, .doc-topic h1') !== null"
PAGES = {
    "index.html": IS_LOADED,
    "search.html?q=FetchRequest": f"{IS_LOADED} && document.querySelector('.results li a')?.textContent === 'FetchRequest'",
    "commands/index.html": IS_LOADED,
    "commands/data-copy.html": IS_LOADED,
    "commands/maintain.html": IS_LOADED,
    "changelog.html": IS_LOADED,
    "architecture.html": IS_LOADED,
    "benchmarks.html": IS_LOADED,
    "404.html": IS_LOADED,
    "documentation/": HAS_DOCUMENTATION,
    "documentation/contextcore/": HAS_DOCUMENTATION,
    "documentation/contextcore/tutorial-1-model/": HAS_DOCUMENTATION,
    "documentation/contextcore/fetchrequest/": HAS_DOCUMENTATION,
    "documentation/storeadmin/administering-stores/": HAS_DOCUMENTATION,
}
# What DocC's pages lack, which this project can't change: the start of the page's path, words of the sentence, and the reason.
KNOWN = [
    ("documentation/", 'class="toggle"', "the button that shows the rest of the path has no name"),
]
PHONE, DESKTOP = (390, 844), (1280, 900)
# The smallest phones, and large screens, for the pages that this site lays out itself.
EXTREMES = [(360, 640), (2560, 1440)]


@contextlib.contextmanager
def serve_folder(folder, base):
    """Serves a folder at a path of this machine while the block runs; gives the address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            return super().translate_path("/" + path.removeprefix(base)) if path.startswith(base) else "/nonexistent"

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{base}"
    finally:
        server.shutdown()
        server.server_close()


def is_known(path, problem):
    """Whether a problem is one of those that DocC's pages have."""
    return any(path.startswith(start) and words in problem for start, words, _ in KNOWN)


def views_of(path):
    """Returns the sizes of the window, and the color schemes, to look at a page in."""
    is_ours = not path.startswith("documentation/")
    return itertools.product([PHONE, DESKTOP] + (EXTREMES if is_ours else []), ("light", "dark"))


def problems_of_pages(pages, address, views=views_of, pictures=None):
    """Opens pages in several views; returns a sentence for each problem, and the number of views."""
    found, count = [], 0
    chromium = browser.Browser()
    try:
        for path, ready in pages.items():
            for (width, height), scheme in views(path):
                count += 1
                chromium.show(width, height, scheme)
                problems = chromium.open(address + path, ready)
                problems += chromium.evaluate(FACTS)
                found += [f"{path} at {width} px, {scheme}: {text}" for text in problems if not is_known(path, text)]
                if pictures:
                    name = re.sub(r"\W+", "-", path).strip("-")
                    chromium.screenshot(pictures / f"{name}-{width}-{scheme}.png")
    finally:
        chromium.close()
    return found, count


def check_site(folder, base, pictures):
    """Checks a site, prints its problems, and returns whether there are none."""
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    found = links.Site(folder, base).problems()
    with serve_folder(folder, base) as address:
        of_pages, count = problems_of_pages(PAGES, address, pictures=pictures)
    # The search works without a web server too.
    search = {path: ready for path, ready in PAGES.items() if path.startswith("search.html")}
    of_files, _ = problems_of_pages(search, f"{folder.resolve().as_uri()}/", lambda _: [(DESKTOP, "light")])
    of_pages += [f"from a file: {line}" for line in of_files]
    for problem in found + of_pages:
        print(f"check-site: {problem}", file=sys.stderr)
    print(f"check-site: {len(found)} broken links, {len(of_pages)} problems in {count} views of {len(PAGES)} pages.")
    return not found and not of_pages


# Mistakes, each in the body of a page, with words of the sentence that must report it.
MISTAKES = {
    "wide": ('<h1>Wide</h1><div style="width: 3000px">text</div>', "px wide in a window of"),
    "pale": ('<h1>Pale</h1><p style="background: #fff; color: #999">text</p>', "the contrast of"),
    "dark-only": ('<h1>Dark</h1><p style="color: #222; background: var(--background)">text</p>', "dark: the contrast of"),
    "headless": ("<p>text</p>", "0 visible headings"),
    "picture": ('<h1>Picture</h1><img src="gone.png">', "no alternative text"),
    "gone": ('<h1>Gone</h1><img src="gone.png" alt="">', "the answer 404"),
    "script": ("<h1>Script</h1><script>missing()</script>", "an exception"),
    "nameless": ('<h1>Nameless</h1><button style="width: 20px; height: 20px"></button>', "a control has no name"),
    "long": (f'<h1>Long</h1><p style="max-width: none">{"word " * 200}</p>', "em long"),
    "link": ('<h1>Link</h1><a href="nowhere.html">link</a>', "nowhere.html leads nowhere"),
    "anchor": ('<h1>Anchor</h1><a href="link.html#nothing">link</a>', "a part that the page doesn't have"),
}


def write_documentation(folder, name, data):
    """Writes a page of DocC: its frame and its data."""
    for file, text in ((f"documentation/{name}/index.html", ""), (f"data/documentation/{name}.json", json.dumps(data))):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")


def run_self_test():
    """Makes a page for each mistake and one without, and returns whether exactly the mistakes are found."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        style = "".join((HERE / file).read_text(encoding="utf-8") for file in ("style.css", "header.css"))
        (folder / "style.css").write_text(style, encoding="utf-8")
        bodies = {page: body for page, (body, _) in MISTAKES.items()} | {"fine": "<h1>Fine</h1><p>text</p>"}
        for page, body in bodies.items():
            text = re.sub(r"<(header|footer).*?</\1>|<link rel=.icon.*?>", "", layout.page(page, body, ""), flags=re.S)
            (folder / f"{page}.html").write_text(text, encoding="utf-8")
        references = {name: {"type": "topic", "url": f"/documentation/{name}"} for name in ("kit", "gone")}
        write_documentation(folder, "kit", {"references": references})
        with serve_folder(folder, "/") as address:
            pages = {f"{page}.html": IS_LOADED for page in bodies}
            of_pages, _ = problems_of_pages(pages, address, lambda _: [(PHONE, "light"), (DESKTOP, "dark")])
        found = of_pages + links.Site(folder).problems()
    sought = {page: (f"{page}.html", words) for page, (_, words) in MISTAKES.items()}
    sought["documentation"] = ("data/documentation/kit.json", "/documentation/gone leads nowhere")
    missed = [name for name, (page, words) in sought.items() if not any(page in line and words in line for line in found)]
    false = [line for line in found if line.startswith("fine.html") or "/documentation/kit leads" in line]
    for line in [f"the mistake in {page} was not found" for page in missed] + false:
        print(f"check-site: {line}", file=sys.stderr)
    print(f"check-site: {len(sought) - len(missed)} of {len(sought)} planted mistakes were found.")
    return not missed and not false


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--base", default="/")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(0 if run_self_test() else 1)
    if options.folder is None:
        parser.error("the folder of the site is missing")
    base = "/" + options.base.strip("/") + "/" if options.base.strip("/") else "/"
    sys.exit(0 if check_site(options.folder, base, options.pictures) else 1)


main()
