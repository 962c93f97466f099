"""The index of the site's search: a script that assigns one object, so that it also works without a web server."""

import collections
import json
import re

# Words that are in nearly every text.
STOP_WORDS = set("a an and are as at be by for from has have if in is it its of on or that the this to was which with you".split())


class Index:
    """Pages with the words in them. The weight of a word says where it is: title, abstract or text."""

    def __init__(self):
        self.pages = []
        self.words = collections.defaultdict(dict)

    def add(self, title, address, kind, abstract, text=""):
        """Adds a page."""
        number = len(self.pages)
        self.pages.append([title, address, kind, shortened(abstract)])
        for weight, content in ((1, text), (3, abstract), (10, title)):
            for word in words(content):
                self.words[word][number] = max(weight, self.words[word].get(number, 0))

    def script(self):
        """Returns the script that assigns the index to `searchIndex`."""
        table = {word: [value for pair in sorted(pages.items()) for value in pair] for word, pages in sorted(self.words.items())}
        data = json.dumps({"pages": self.pages, "words": table}, ensure_ascii=False, separators=(",", ":"))
        return f"var searchIndex={data};\n"


def words(text):
    """Returns the words of a text in lower case, and the parts of names such as `FetchRequest`."""
    found = set()
    for name in re.findall(r"\w+", text):
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
        found.update(part.lower() for part in [name, *parts] if len(part) > 1)
    return found - STOP_WORDS


def shortened(text, length=200):
    """Returns the beginning of a text, up to a word."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def add_documentation(index, archive):
    """Adds the pages of DocC's documentation."""
    data = archive / "data"
    for file in sorted(data.glob("documentation/**/*.json")):
        node = json.loads(file.read_text(encoding="utf-8"))
        metadata = node.get("metadata", {})
        title = metadata.get("title", file.stem)
        module = (metadata.get("modules") or [{}])[0].get("name", "")
        kind = metadata.get("roleHeading") or metadata.get("role", "")
        address = str(file.relative_to(data).with_suffix("")) + "/"
        label = f"{kind}, {module}" if module and module != title else kind
        text = plain(node.get("primaryContentSections", []))
        index.add(title, address, label, plain(node.get("abstract", [])), text)


def plain(value):
    """Returns the texts in a part of a page of DocC."""
    if isinstance(value, list):
        return " ".join(filter(None, map(plain, value))).replace(" .", ".").replace(" ,", ",")
    if not isinstance(value, dict):
        return ""
    if value.get("type") == "codeListing":
        return " ".join(value.get("code", []))
    if value.get("type") == "reference":
        return reference_name(value)
    own = [value[key] for key in ("text", "code") if isinstance(value.get(key), str)]
    return " ".join(own + [text for text in map(plain, value.values()) if text])


def reference_name(value):
    """Returns the name of what a link in a text refers to, by its identifier."""
    return value.get("overridingTitle") or value.get("identifier", "").rsplit("/", 1)[-1]
