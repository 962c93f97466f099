import Testing

@testable import StoreAdmin

/// Every example in the help of every command runs, on every backend to which it applies.
struct ExampleTests {
    private static let commands = CommandTree.all.commands + CommandTree.all.hiddenCommands

    /// The commands that open a store or list the tenants of an address.
    private static let onStores = commands.filter { $0.declaration.exitCodes.contains(.unavailable) }

    @Test(arguments: ExampleTests.commands.map(\.declaration.words))
    func `The examples of a command run`(words: [String]) throws {
        try runExamples(of: words, .sqlite)
    }

    @Test(
        .enabled(if: TestPlace.server != nil, "there is no server"),
        arguments: ExampleTests.onStores.map(\.declaration.words))
    func `The examples of a command run with stores on a server`(words: [String]) throws {
        try runExamples(of: words, .postgres)
    }

    private func runExamples(of words: [String], _ place: TestPlace) throws {
        let command = try #require(CommandTree.all.command(words)?.declaration)
        let examples = command.examples.map(\.words)
        var shared: ExampleProject?
        for example in examples {
            let own = ExampleSetup.table[example]
            let setup = own ?? ExampleSetup.table[command.name] ?? ExampleSetup()
            guard setup.places[example, default: place] == place else { continue }
            let isSeparate = own != nil || setup.isSeparate
            let project: ExampleProject
            if let shared, !isSeparate {
                project = shared
            } else {
                project = try ExampleProject(place, setup, for: examples.joined(separator: "\n"))
                if !isSeparate { shared = project }
            }
            let outcome = try project.run(example)
            #expect(
                outcome.exit == setup.exits[example, default: .success],
                "\(example): \(outcome.exit) \(outcome.output)\(outcome.problems)")
            #expect(
                outcome.problems.contains("error SC") == setup.lacksTrait, "\(example): \(outcome.problems)")
            if setup.lacksTrait { #expect(outcome.problems.contains("--traits"), "\(example)") }
        }
    }

    @Test func `Every setup belongs to a command or an example`() {
        let declarations = Self.commands.map(\.declaration)
        let examples = Set(declarations.flatMap(\.examples).map(\.words))
        let known = examples.union(declarations.map(\.name))
        for (name, setup) in ExampleSetup.table {
            #expect(known.contains(name), "\(name)")
            for example in Array(setup.exits.keys) + setup.places.keys {
                #expect(examples.contains(example), "\(example)")
            }
        }
    }

    @Test func `An example is split as a shell splits it`() {
        let call = ExampleCall("query Player --where 'game.title == \"Go\"' -f name >> 'a b.csv'")
        #expect(call.words == ["query", "Player", "--where", "game.title == \"Go\"", "-f", "name"])
        #expect(call.output == "a b.csv" && call.appends)
        #expect(ExampleCall("shell -o csv < requests.txt").input == "requests.txt")
        #expect(
            ExampleCall("data export --entity Game | jq .values.title").words == [
                "data", "export", "--entity", "Game",
            ])
    }
}
