"""The pages of storectl's commands, made from the help that the program prints."""

import html
import re
import subprocess
from dataclasses import dataclass, field

import layout


@dataclass
class Command:
    """A command, or a group of commands, with the help that the program prints for it."""

    words: str
    help: str
    members: list = field(default_factory=list)

    @property
    def abstract(self):
        return self.help.splitlines()[0]

    @property
    def file(self):
        return self.words.replace(" ", "-") + ".html"

    @property
    def is_group(self):
        """Whether the words need a further one."""
        return bool(self.members) and "\nUsage: " not in self.help


class Tool:
    """The program, whose help lists its commands."""

    def __init__(self, program):
        self.program = program
        self.overview = self.run("help")

    def run(self, *words):
        """Returns what the program prints."""
        environment = {"PATH": "/usr/bin:/bin"}
        result = subprocess.run([self.program, *words], capture_output=True, text=True, check=True, env=environment)
        return result.stdout

    def sections(self):
        """Returns the sections of the overview with their commands; the first word of others has those as members."""
        output = []
        for block in split_blocks(self.overview):
            title = block[0].rstrip(":")
            if not block[0].endswith(":") or title.startswith(("Usage", "Options")):
                continue
            # The overview is the help of the command `help`.
            names = [parse_entry(line)[0] for line in block[1:] if parse_entry(line)[0] != "help"]
            output.append((title, [self.command(name) for name in names]))
        if not output:
            raise SystemExit("site: the help of storectl lists no commands.")
        return output

    def command(self, words):
        text = self.run("help", *words.split())
        blocks = [block[1:] for block in split_blocks(text) if block[0] == "Commands:"]
        members = [parse_entry(line)[0] for block in blocks for line in block]
        return Command(words, text, [self.command(member) for member in members])


def split_blocks(text):
    """Splits a text at its empty lines."""
    return [block.splitlines() for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]


def parse_entry(line):
    """Returns the name and the explanation in a line of a list."""
    parts = re.split(r"\s{2,}", line.strip(), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def write_pages(tool, folder):
    """Writes all pages to a folder, and returns what the search should find: titles, addresses and texts."""
    folder.mkdir(parents=True, exist_ok=True)
    found, listing = [], []
    for title, commands in tool.sections():
        listed = []
        for command in commands:
            listed += ([] if command.is_group else [command]) + command.members
            for page in [command, *command.members]:
                (folder / page.file).write_text(command_page(page), encoding="utf-8")
                found.append((f"storectl {page.words}", f"commands/{page.file}", page.abstract, page.help))
        listing.append(f'<section><h2>{html.escape(title)}</h2>\n<div class="commands">\n{entries(listed)}</div></section>')
    lead = html.escape(tool.overview.splitlines()[0])
    body = f"<h1>Commands of storectl</h1>\n<p>{lead}</p>\n" + "\n".join(listing)
    index = layout.page("Commands", body, "../", tool.overview.splitlines()[0], "commands/index.html")
    (folder / "index.html").write_text(index, encoding="utf-8")
    return found


def entries(pages):
    """Returns links to the pages of commands, with what each command does."""
    return "\n".join(
        f'<dl><dt><a href="{page.file}">{html.escape(page.words)}</a></dt><dd>{html.escape(page.abstract)}</dd></dl>'
        for page in pages
    )


def command_page(command):
    """Returns the page of a command or a group."""
    parts = [
        '<p class="breadcrumb"><a href="index.html">Commands</a></p>',
        f"<h1>storectl {html.escape(command.words)}</h1>",
    ]
    parts += [convert_block(block) for block in split_blocks(command.help) if block[0] != "Commands:"]
    if command.members:
        parts.append(f"<h2>Commands</h2>\n{entries(command.members)}")
    return layout.page(f"storectl {command.words}", "\n".join(parts), "../", command.abstract)


def convert_block(block):
    """Converts a block of the help: a list with a title, the usage, or a paragraph."""
    title, *rest = block
    if title.startswith("Usage: "):
        return f"<h2>Usage</h2>\n<pre tabindex=\"0\"><code>{html.escape(title[len('Usage: '):], quote=False)}</code></pre>"
    if title == "Examples:":
        return "<h2>Examples</h2>\n" + examples(rest)
    if title.startswith("Exit codes: "):
        return f"<h2>Exit codes</h2>\n<p>{html.escape(title[len('Exit codes: '):])}</p>"
    if title.endswith(":") and rest and all(line.startswith("  ") for line in rest):
        return f"<h2>{html.escape(title[:-1])}</h2>\n{definitions(rest)}"
    if all(line.startswith("  ") for line in block):
        return definitions(block)
    return "<p>" + html.escape(" ".join(line.strip() for line in block), quote=False) + "</p>"


def definitions(lines):
    """Converts lines with a name and an explanation; a member of a group links to its page."""
    output = []
    for line in lines:
        name, text = parse_entry(line)
        output.append(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text, quote=False)}</dd>")
    return "<dl>" + "\n".join(output) + "</dl>"


def examples(lines):
    """Converts examples: a line with the command, and a deeper one that explains it."""
    output = []
    for line in lines:
        text = html.escape(line.strip(), quote=False)
        is_command = line.startswith("  ") and not line.startswith("      ")
        output.append(f'<pre tabindex="0"><code>{text}</code></pre>' if is_command else f"<p>{text}</p>")
    return "\n".join(output)
