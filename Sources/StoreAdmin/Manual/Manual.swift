/// Makes the manual pages of the tool from the declarations of its commands: one for the tool, and one for each command.
struct Manual {
    struct Page {
        /// The name of the page, which is also that of its file without the section: `storectl-data-export`.
        let name: String
        let text: String

        var fileName: String { name + ".1" }
    }

    let tree: CommandTree
    /// The program's name.
    let name: String
    /// The product and its version.
    let source: String
    /// The date of the pages, such as `2026-08-01`.
    let date: String

    var pages: [Page] { [overview] + tree.commands.map { page(of: $0.declaration) } }

    private func pageName(of command: CommandDeclaration) -> String {
        ([name] + command.words).joined(separator: "-")
    }

    private func begin(_ pageName: String) -> RoffText {
        RoffText(pageName, date: date, source: source, manual: "\(name) Manual")
    }

    private func reference(_ pageName: String) -> String { RoffText.bold(pageName) + "(1)" }

    // MARK: The page of the tool

    private var overview: Page {
        var roff = begin(name)
        roff.heading("Name")
        roff.fill("\(name) - administers stores of objects in SQLite files and on PostgreSQL servers")
        roff.heading("Synopsis")
        roff.markup("\(RoffText.bold(name)) \(RoffText.italic("command")) [\(RoffText.italic("options"))]")
        roff.heading("Description")
        roff.fill(
            "A store contains its model, so the commands work on any store. Data goes to standard output, and messages go to standard error."
        )
        roff.heading("Commands")
        for section in tree.sections {
            roff.subheading(section.title)
            for command in section.words.flatMap(commands) {
                roff.term(
                    markup: reference(pageName(of: command)), command.abstract)
            }
        }
        roff.heading("Options of every command")
        OptionDeclaration.common.forEach { add($0, to: &roff) }
        roff.heading("Environment")
        for (name, help) in Self.variables { roff.term(markup: RoffText.bold(name), help) }
        roff.heading("Files")
        roff.term(
            markup: RoffText.italic(ConfigurationNames.file),
            "The names and addresses of stores; it is searched for in the working folder and the folders above it."
        )
        add(ExitCode.allCases, to: &roff)
        return Page(name: name, text: roff.text)
    }

    /// Returns the commands whose name begins with a word.
    private func commands(_ word: String) -> [CommandDeclaration] {
        tree.commands.map(\.declaration).filter { $0.words[0] == word }
    }

    private static let variables = [
        (
            "STORECTL_URL, STORECTL_STORE",
            "The URL or the name of the store if --store is not given; only one of them may be set."
        ),
        ("DATABASE_URL", "The URL of the store if there is no other default."),
        (
            "STORECTL_COMPLETION_TIMEOUT",
            "The time that shell completions wait for a store. The default is 1s."
        ),
        ("NO_COLOR, FORCE_COLOR", "Turn colors off, or on."),
        ("COLUMNS", "The width of tables on a terminal."),
    ]

    // MARK: The page of a command

    private func page(of command: CommandDeclaration) -> Page {
        var roff = begin(pageName(of: command))
        roff.heading("Name")
        roff.fill("\(pageName(of: command)) - \(Self.phrase(command.abstract))")
        roff.heading("Synopsis")
        let operands = command.operands.map { operand in
            let word = RoffText.italic(operand.name) + (operand.isRepeated ? "..." : "")
            return operand.isOptional ? "[\(word)]" : word
        }
        roff.markup(
            ([RoffText.bold("\(name) \(command.name)")] + operands + ["[\(RoffText.italic("options"))]"])
                .joined(separator: " "))
        roff.heading("Description")
        roff.fill(command.abstract)
        if !command.discussion.isEmpty { roff.paragraph(command.discussion) }
        for operand in command.operands {
            roff.term(markup: RoffText.italic(operand.name), operand.help)
        }
        if !command.ownOptions.isEmpty {
            roff.heading("Options")
            command.ownOptions.forEach { add($0, to: &roff) }
        }
        roff.heading("Options of every command")
        OptionDeclaration.common.forEach { add($0, to: &roff) }
        roff.heading("Examples")
        for (index, example) in command.examples.enumerated() {
            if index == 0 { roff.fill(example.help) } else { roff.paragraph(example.help) }
            roff.literal("\(name) \(example.words.replacing(Tool.defaultName, with: name))")
        }
        add(command.allExitCodes, to: &roff)
        roff.heading("See also")
        let others = commands(command.words[0]).filter { $0.words != command.words }.map(pageName)
        roff.markup(([name] + others).map(reference).joined(separator: ", "))
        return Page(name: pageName(of: command), text: roff.text)
    }

    private func add(_ option: OptionDeclaration, to roff: inout RoffText) {
        let letter = option.letter.map { RoffText.bold("-\($0)") + ", " } ?? ""
        let value = option.value.map { " " + RoffText.italic($0) } ?? ""
        roff.term(markup: letter + RoffText.bold("--" + option.name) + value, option.help)
    }

    private func add(_ codes: [ExitCode], to roff: inout RoffText) {
        roff.heading("Exit status")
        for code in codes { roff.term(markup: RoffText.bold("\(code.rawValue)"), code.meaning) }
    }

    /// Returns a sentence as a phrase after a dash: without its period, and with a lowercase letter at its beginning.
    private static func phrase(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
