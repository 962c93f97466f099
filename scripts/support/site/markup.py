"""Converts the Markdown of the project's documents to HTML.

It knows the parts of Markdown that these documents use: headings, paragraphs, lists, tables, code blocks, comments, and inline
code, emphasis, links and images. Other text passes through as a paragraph.
"""

import html
import re
from dataclasses import dataclass, field


def slug(text):
    """Returns the anchor that GitHub gives to a heading."""
    plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", text).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain).strip())


@dataclass
class Section:
    """The part of a document below a heading of the second level; the first one has the document's title."""

    title: str
    lines: list = field(default_factory=list)


def sections(text):
    """Splits a document at its headings of the second level, but not inside code blocks."""
    parts, is_code = [Section("")], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if not is_code and line.startswith("# "):
            parts[0].title = line[2:].strip()
        elif not is_code and line.startswith("## "):
            parts.append(Section(line[3:].strip()))
        else:
            parts[-1].lines.append(line)
    return parts


class Converter:
    """Converts documents; `resolve` maps the address of a link or image to that on the site."""

    def __init__(self, resolve=lambda address: address):
        self.resolve = resolve
        self.references = {}

    def document(self, text):
        """Converts a whole document."""
        self.references = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", text, re.M))
        text = re.sub(r"^\[[^\]]+\]: \S+$", "", text, flags=re.M)
        return self.blocks(text.splitlines())

    # Blocks

    def blocks(self, lines):
        """Converts lines that begin at the margin."""
        output, lines = [], list(lines)
        while lines:
            line = lines[0]
            if not line.strip():
                lines.pop(0)
            elif line.startswith("<!--"):
                while "-->" not in lines.pop(0):
                    pass
            elif line.startswith("```"):
                output.append(self.code(lines))
            elif match := re.match(r"(#{1,6}) (.*)", lines[0]):
                lines.pop(0)
                level, title = len(match[1]), match[2]
                output.append(f'<h{level} id="{slug(title)}">{self.inline(title)}</h{level}>')
            elif line.startswith("|"):
                output.append(self.table(lines))
            elif re.match(r"[-*] |\d+\. ", line):
                output.append(self.list(lines))
            else:
                output.append(self.paragraph(lines))
        return "\n".join(output)

    def code(self, lines):
        """Converts a code block, and removes its lines."""
        language = lines.pop(0).strip("`").strip()
        body = []
        while lines and not lines[0].startswith("```"):
            body.append(lines.pop(0))
        if lines:
            lines.pop(0)
        kind = f' class="language-{language}"' if language else ""
        # Long lines scroll, which the keyboard can do only in an element that takes the focus.
        return f'<pre tabindex="0"><code{kind}>{highlighted(chr(10).join(body), language)}</code></pre>'

    def table(self, lines):
        """Converts a table, and removes its lines."""
        rows = []
        while lines and lines[0].startswith("|"):
            rows.append(cells(lines.pop(0)))
        head = "".join(f"<th>{self.inline(cell)}</th>" for cell in rows[0])
        body = "\n".join(
            "<tr>" + "".join(f"<td>{self.inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:]
        )
        return f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'

    def list(self, lines):
        """Converts a list, whose items may contain other blocks, and removes its lines."""
        tag = "ol" if lines[0][0].isdigit() else "ul"
        items = []
        while lines and (match := re.match(r"([-*] |\d+\. )(.*)", lines[0])):
            lines.pop(0)
            width, item = len(match[1]), [match[2]]
            while lines and (lines[0].startswith(" " * width) or (not lines[0].strip() and continues(lines, width))):
                item.append(lines.pop(0)[width:])
            items.append(f"<li>{self.item(item)}</li>")
            while lines and not lines[0].strip():
                lines.pop(0)
        return f"<{tag}>\n" + "\n".join(items) + f"\n</{tag}>"

    def item(self, lines):
        """Converts an item; one paragraph needs no element of its own."""
        if all(line.strip() for line in lines) and not any(re.match(r"[-*|`]|\d+\. ", line) for line in lines[1:]):
            return self.inline(" ".join(lines))
        return self.blocks(lines)

    def paragraph(self, lines):
        """Converts a paragraph, and removes its lines."""
        text = []
        while lines and lines[0].strip() and not re.match(r"```|\||#{1,6} |<!--|[-*] ", lines[0]):
            text.append(lines.pop(0).strip())
        if not text:
            text.append(lines.pop(0))
        return f"<p>{self.inline(' '.join(text))}</p>"

    # Text

    def inline(self, text):
        """Converts code, emphasis, links and images in a text."""
        # Code is set aside first, because nothing in it is markup.
        code = re.findall(r"``.+?``|`[^`]+`", text)
        text = self.spans(re.sub(r"``.+?``|`[^`]+`", "\x01", text))
        for span in code:
            text = text.replace("\x01", f"<code>{html.escape(span.strip('`').strip(), quote=False)}</code>", 1)
        return text

    def spans(self, text):
        text = html.escape(text, quote=False)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", self.image, text)
        text = re.sub(r"\[((?:[^\[\]]|<[^>]*>)+)\]\(([^)\s]+)\)", self.link, text)
        text = re.sub(r"\[([^\[\]]+)\]\[([^\]]+)\]", self.reference, text)
        text = re.sub(r"&lt;(https?://[^\s&]+)&gt;", r'<a href="\1">\1</a>', text)
        text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
        return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)

    def image(self, match):
        return f'<img src="{self.resolve(match[2])}" alt="{match[1].replace(chr(34), "&quot;")}" loading="lazy">'

    def link(self, match):
        return f'<a href="{self.resolve(html.unescape(match[2]))}">{match[1]}</a>'

    def reference(self, match):
        address = self.references.get(match[2])
        return match[0] if address is None else f'<a href="{self.resolve(address)}">{match[1]}</a>'


def cells(row):
    """Splits a row of a table at the bars that are not part of code or escaped."""
    marked = re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "\x00"), row.strip().strip("|")).replace(r"\|", "\x00")
    return [cell.strip().replace("\x00", "|") for cell in marked.split("|")]


def continues(lines, width):
    """Whether the first line that is not empty still belongs to an item."""
    following = next((line for line in lines if line.strip()), "")
    return following.startswith(" " * width)


# The words of Swift that the first programs use, and those of a shell.
KEYWORDS = (
    "import final class struct enum var let func try await if for in while return where throws async static public init as"
    " else guard case switch nil true false self extension protocol package override required"
)
TOKENS = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<attribute>@\w+)|(?P<number>\b\d[\d_.]*\b)'
    r"|(?P<keyword>(?<!\.)\b(?:" + "|".join(KEYWORDS.split()) + r")\b(?!:))"
)
SHELL_TOKENS = re.compile(r"(?P<comment>(?:^|(?<=\s))#[^\n]*)|(?P<string>'[^'\n]*'|\"[^\"\n]*\")", re.M)


def highlighted(code, language):
    """Returns code as HTML, in which the words of the language have classes."""
    tokens = {"swift": TOKENS, "sh": SHELL_TOKENS}.get(language)
    if tokens is None:
        return html.escape(code, quote=False)
    output, end = [], 0
    for match in tokens.finditer(code):
        output.append(html.escape(code[end : match.start()], quote=False))
        output.append(f'<span class="{match.lastgroup}">{html.escape(match[0], quote=False)}</span>')
        end = match.end()
    return "".join(output) + html.escape(code[end:], quote=False)
