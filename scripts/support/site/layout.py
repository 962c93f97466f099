"""The frame of every page that this site makes itself, and the header that it adds to DocC's pages."""

import html

# The links in the header of each page: the name, and the address from the site's root.
NAVIGATION = [
    ("Documentation", "documentation/"),
    ("Tutorial", "documentation/contextcore/tutorial-1-model/"),
    ("Commands", "commands/index.html"),
    ("Changes", "changelog.html"),
]
NAME = "ContextCore"


def page(title, body, root, description="", current=""):
    """Returns a page; `root` is the relative address of the site's root, such as `../`."""
    full_title = NAME if title == NAME else f"{title} – {NAME}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{html.escape(description)}">
<title>{html.escape(full_title)}</title>
<link rel="stylesheet" href="{root}style.css">
<link rel="icon" href="{root}favicon.svg">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{header(root, current)}
<main id="main">
{body}
</main>
<footer><p>{NAME} has the Apache License 2.0. <a href="{root}contributing.html">Contribute</a>,
<a href="{root}security.html">report a vulnerability</a>, or read about its <a href="{root}architecture.html">architecture</a>.</p></footer>
</body>
</html>
"""


def header(root, current=""):
    """Returns the header with the links and the search field."""
    mark = {current: ' aria-current="page"'}
    links = "".join(
        f'<a href="{root}{address}"{mark.get(address, "")}>{name}</a>' for name, address in NAVIGATION
    )
    return f"""<header class="site"><a class="home" href="{root}index.html">{NAME}</a>
<nav aria-label="Site">{links}</nav>
<form action="{root}search.html" role="search"><input type="search" name="q" aria-label="Search" placeholder="Search"></form></header>"""


def docc_header(base, style):
    """Returns the header as the element that DocC's pages show above their own; it is a shadow tree with its own style."""
    return f'<template id="custom-header"><style>{style}</style>{header(base)}</template>'
