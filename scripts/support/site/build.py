"""Makes the project's site around DocC's documentation. scripts/docs.sh --site calls it.

    build.py --archive FOLDER --storectl PROGRAM --output FOLDER [--base PATH]

The archive is the merged documentation, already transformed for static hosting below the path `--base`. The landing page and the
pages of documents are made from the files of the repository, those of commands from the help of storectl, so that none of them can
differ from its source. All of them, the search included, work without a web server; DocC's pages need one.
"""

import argparse
import html
import pathlib
import posixpath
import re
import shutil
import sys

import commands
import layout
import markup
import search_index

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]

# The documents with a page of their own: the file, its page, and the page's name in the search.
DOCUMENTS = {
    "CHANGELOG.md": "changelog.html",
    "CONTRIBUTING.md": "contributing.html",
    "SECURITY.md": "security.html",
    "docs/ARCHITECTURE.md": "architecture.html",
    "docs/PERFORMANCE.md": "performance.html",
    "docs/PUBLIC-API.md": "public-api.html",
    "Benchmarks/README.md": "benchmarks.html",
}
# The sections of the README on the landing page, in this order.
LANDING_SECTIONS = ["A first program", "What it looks like", "Choose", "Installing", "Documentation"]


class Addresses:
    """Maps links in a file of the repository to addresses relative to the site's root."""

    def __init__(self, file):
        self.folder = posixpath.dirname(file)

    def __call__(self, address):
        if re.match(r"[a-z]+:|#", address):
            return address
        path, _, anchor = address.partition("#")
        path = posixpath.normpath(posixpath.join(self.folder, path))
        return self.site_address(path) + (f"#{anchor}" if anchor else "")

    @staticmethod
    def site_address(path):
        if article := re.fullmatch(r"Sources/(\w+)/\1\.docc/([\w.-]+)\.md", path):
            module, name = article[1].lower(), article[2].lower()
            return f"documentation/{module}/" + ("" if name == module else f"{name}/")
        if path == "README.md":
            return "index.html"
        if path.startswith("docs/images/"):
            return path.removeprefix("docs/")
        return DOCUMENTS.get(path) or f"{repository()}/blob/main/{path}"


def repository():
    """Returns the address of the repository, which `storectl new` writes into packages too."""
    source = (ROOT / "Sources/StoreAdmin/NewPackage/PackageDependency.swift").read_text(encoding="utf-8")
    return re.search(r'static let url = "([^"]+)"', source)[1]


def landing_page():
    """Returns the landing page: the README's introduction and some of its sections."""
    parts = markup.sections((ROOT / "README.md").read_text(encoding="utf-8"))
    by_title = {part.title: part for part in parts}
    missing = [title for title in LANDING_SECTIONS if title not in by_title]
    if missing:
        sys.exit(f"site: README.md has no section {missing}: adapt LANDING_SECTIONS in {__file__}.")
    converter = markup.Converter(Addresses("README.md"))
    # The badges are for GitHub.
    introduction = [line for line in parts[0].lines if not line.startswith(("[![", "!["))]
    sections = "\n".join(
        f'<section><h2 id="{markup.slug(title)}">{html.escape(title)}</h2>\n{converter.blocks(by_title[title].lines)}</section>'
        for title in LANDING_SECTIONS
    )
    hero = f"""<div class="hero"><h1>{html.escape(parts[0].title)}</h1>
{converter.blocks(introduction)}
<ul class="actions"><li><a href="documentation/contextcore/tutorial-1-model/">Begin the tutorial</a></li>
<li><a href="documentation/">Documentation</a></li><li><a href="{repository()}">Source</a></li></ul></div>"""
    return layout.page(layout.NAME, hero + sections, "", " ".join(introduction).strip()[:300])


def write_documents(output, index):
    """Writes a page for each of the documents."""
    for file, page in DOCUMENTS.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        title = markup.sections(text)[0].title
        body = markup.Converter(Addresses(file)).document(text)
        (output / page).write_text(layout.page(title, body, "", title, page), encoding="utf-8")
        for part in markup.sections(text):
            content = "\n".join(part.lines).strip()
            name = f"{title}: {part.title}" if part.title != title else title
            address = page if part.title == title else f"{page}#{markup.slug(part.title)}"
            index.add(name, address, "Document", re.sub(r"[`*|]|\]\([^)]*\)|\[", "", content), content)


def write_search(output, index):
    """Writes the page of the search, its script and its index."""
    body = """<h1>Search</h1>
<form class="find" role="search"><input type="search" name="q" aria-label="Search" autofocus></form>
<p id="status" role="status"></p>
<ul class="results"></ul>
<noscript><p>The search needs JavaScript.</p></noscript>
<script src="search-index.js"></script>
<script src="search.js"></script>"""
    page = layout.page("Search", body, "", "Searches the documentation, the commands and the documents.")
    (output / "search.html").write_text(page, encoding="utf-8")
    (output / "search-index.js").write_text(index.script(), encoding="utf-8")


def add_header(output, base):
    """Adds the site's header to the pages of DocC."""
    template = layout.docc_header(base, (HERE / "header.css").read_text(encoding="utf-8"))
    for page in output.glob("documentation/**/*.html"):
        text = page.read_text(encoding="utf-8")
        marked, count = re.subn(r"(<body[^>]*>)", lambda body: body[0] + template, text, count=1)
        if count != 1:
            sys.exit(f"site: {page} has no body.")
        page.write_text(marked, encoding="utf-8")


def not_found_page(base):
    """Returns the page that a web server sends for addresses without a page; they may be in any folder."""
    body = f'<h1>There is no such page</h1>\n<p>Go to the <a href="{base}index.html">start</a>, or <a href="{base}search.html">search</a>.</p>'
    return layout.page("Not found", body, base)


def main():
    parser = argparse.ArgumentParser()
    for option in ("archive", "storectl", "output"):
        parser.add_argument(f"--{option}", required=True, type=pathlib.Path)
    parser.add_argument("--base", default="/", help="the path of the site on its server")
    options = parser.parse_args()
    output, base = options.output, "/" + options.base.strip("/") + "/" if options.base.strip("/") else "/"
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(options.archive, output)
    index = search_index.Index()
    search_index.add_documentation(index, output)
    tool = commands.Tool(options.storectl.resolve())
    for title, address, abstract, text in commands.write_pages(tool, output / "commands"):
        index.add(title, address, "Command", abstract, text)
    write_documents(output, index)
    (output / "index.html").write_text(landing_page(), encoding="utf-8")
    (output / "404.html").write_text(not_found_page(base), encoding="utf-8")
    write_search(output, index)
    add_header(output, base)
    shutil.copytree(ROOT / "docs/images", output / "images", dirs_exist_ok=True)
    style = "".join((HERE / name).read_text(encoding="utf-8") for name in ("style.css", "header.css"))
    (output / "style.css").write_text(style, encoding="utf-8")
    # DocC reads its colors from theme-settings.json; those of comments have too little contrast.
    for name in ("search.js", "favicon.svg", "theme-settings.json"):
        shutil.copy(HERE / name, output / name)
    # GitHub Pages would leave out folders whose names begin with an underscore.
    (output / ".nojekyll").touch()


main()
