import Testing

@testable import StoreAdmin

/// What the words before the cursor say about the last word.
struct CompletionInputTests {
    private func input(_ words: String...) -> CompletionInput { CompletionInput(words, tree: .all) }

    @Test(
        arguments: [
            ([""], CompletionInput.Subject.commandWord(after: [])), (["sta"], .commandWord(after: [])),
            (["-q", ""], .commandWord(after: [])), (["-s", "dev", "da"], .commandWord(after: [])),
            (["data", ""], .commandWord(after: ["data"])),
            (["migrate", "-s", "dev", "a"], .commandWord(after: ["migrate"])),
            (["help", "data", ""], .commandWord(after: ["data"])),
            (["nothing", ""], .commandWord(after: ["nothing"])),
            ([], .commandWord(after: [])),
        ] as [([String], CompletionInput.Subject)])
    func `A word of a command's name follows the others, past options`(
        words: [String], subject: CompletionInput.Subject
    ) {
        #expect(CompletionInput(words, tree: .all).subject == subject)
    }

    @Test(
        arguments: [
            (["query", "-"], CompletionInput.Subject.optionName), (["query", "--ord"], .optionName),
            (["--st"], .optionName),
            (["query", "Player", ""], .optionName), (["status", ""], .optionName),
            (["query", "-s", ""], .value(.store)), (["-s", "d"], .value(.store)),
            (["query", "-qs", ""], .value(.store)),
            (["--config", ""], .value(.file)), (["backup", "list", "--folder", ""], .value(.folder)),
            (["status", "--tenant", "a"], .value(.tenant)),
            (["query", "-o", "js"], .value(.word(OutputFormat.allCases.map(\.rawValue)))),
            (["query", ""], .value(.request)), (["get", "Pl"], .value(.object)),
            (["inspect", "entity", ""], .value(.entity)),
            (["query", "Player", "-f", "na"], .value(.list(.property))),
            (["migrate", "apply", "--to", ""], .value(.version)),
            (["migrate", "new", "V1", ""], .value(.version)),
            (["data", "copy", "dev", ""], .value(.store)), (["sql", ""], .value(.text)),
            (["sql", "--", "-"], .value(.text)),
            (["query", "--", "-"], .value(.request)), (["fleet", "migrate", "--from", ""], .value(.tenant)),
            (["migrate", "plan", "--from", ""], .value(.version)),
            (["query", "--nothing", ""], .value(.request)),
            (["data", "copy", "dev", "prod", "--confirm", "p"], .value(.text)),
        ] as [([String], CompletionInput.Subject)])
    func `Options, their values and operands have their kinds`(
        words: [String], subject: CompletionInput.Subject
    ) {
        #expect(CompletionInput(words, tree: .all).subject == subject)
    }

    @Test func `A value after an equals sign keeps the option before it`() {
        let input = input("query", "Player", "--fields=name,sc")
        #expect(input.subject == .value(.list(.property)))
        #expect(input.prefix == "--fields=" && input.text == "name,sc")
        #expect(self.input("query", "--json=").subject == .value(.text))
    }

    @Test func `The words before say which store, command and operands are meant`() {
        let input = input(
            "--config=a.json", "query", "-sdev", "'Player where score > 10'", "--tenant", "acme", "-q", "")
        #expect(input.values == ["config": "a.json", "store": "dev", "tenant": "acme"])
        #expect(input.command?.name == "query")
        #expect(input.operands == ["Player where score > 10"])
        #expect(input.given == ["config", "store", "tenant", "quiet"])
    }

    @Test func `Every operand and every option with a value has a kind`() {
        for command in CommandTree.all.commands {
            let declaration = command.declaration
            for operand in declaration.operands {
                #expect(operand.kind != nil, "\(operand.name) of \(declaration.name)")
            }
            for option in declaration.allOptions where option.value != nil {
                #expect(
                    option.valueKind != nil, "--\(option.name) \(option.value ?? "") of \(declaration.name)")
            }
        }
    }
}
