import Testing

@testable import StoreAdmin

struct ArgumentParserTests {
    private let declaration = CommandDeclaration(
        words: ["paint"], abstract: "Paints.",
        operands: [
            .init(name: "WALL", help: "which."), .init(name: "SIDE", help: "which.", isOptional: true),
        ],
        options: [
            .option("colour", "c", "NAME", "What colour."), .flag("twice", "t", "Two coats."),
            .option("finish", nil, "KIND", "How.", choices: ["matt", "gloss"]),
        ], examples: [])

    private func parse(_ words: String...) throws -> ParsedArguments {
        try ArgumentParser.parse(words, for: declaration)
    }

    @Test func `Options are accepted anywhere, and take values in every common form`() throws {
        for words in [
            ["north", "--colour", "red", "-t"], ["--colour=red", "north", "--twice"],
            ["-tc", "red", "north"],
            ["-tcred", "north"], ["-t", "-cred", "--", "north"],
        ] {
            let parsed = try ArgumentParser.parse(words, for: declaration)
            #expect(parsed.operands == ["north"], "\(words)")
            #expect(parsed["colour"] == "red", "\(words)")
            #expect(parsed.has("twice"), "\(words)")
        }
    }

    @Test func `After two dashes everything is an operand, and so is a single dash`() throws {
        #expect(try parse("--", "--colour", "-t").operands == ["--colour", "-t"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test(
        arguments: [
            (["x", "--colur", "red"], "'paint' has no option --colur.", "Did you mean --colour?"),
            (["x", "--zzzzzz"], "'paint' has no option --zzzzzz.", "Run 'storectl help paint'."),
            (["x", "-z"], "'paint' has no option -z.", "Run 'storectl help paint'."),
            (["x", "--colour"], "--colour needs a value: NAME.", nil),
            (["x", "--twice=yes"], "--twice takes no value.", nil),
            (
                ["x", "--finish", "glos"], "--finish can't be “glos”.",
                "Did you mean gloss? The valid values are matt, gloss."
            ),
            ([], "'paint' needs WALL: which.", "Run 'storectl help paint'."),
            (
                ["a", "b", "c"], "'paint' takes only WALL SIDE, but also got “c”.",
                "Run 'storectl help paint'."
            ),
        ] as [([String], String, String?)])
    func `Invalid arguments are a usage error`(words: [String], message: String, hint: String?) {
        let error = #expect(throws: AdminError.self) {
            try ArgumentParser.parse(words, for: declaration)
        }
        #expect(error?.message == message)
        #expect(error?.hint == hint)
        #expect(error?.exit == .usage)
    }

    @Test func `Help is printed whatever else is missing`() throws {
        #expect(try parse("--help").has("help"))
        #expect(try parse("-h").has("help"))
    }

    @Test func `Every command has an abstract of one line, examples, and its own options`() {
        for command in CommandTree.all.commands {
            let declaration = command.declaration
            #expect(declaration.abstract.hasSuffix("."), "\(declaration.name)")
            #expect(
                !declaration.abstract.contains("\n") && declaration.abstract.count < 90, "\(declaration.name)"
            )
            #expect(!declaration.examples.isEmpty, "\(declaration.name)")
            let names = declaration.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(declaration.name)")
            let letters = declaration.allOptions.compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(declaration.name)")
            for example in declaration.examples {
                #expect(example.words.hasPrefix(declaration.name), "\(example.words)")
            }
        }
    }
}
