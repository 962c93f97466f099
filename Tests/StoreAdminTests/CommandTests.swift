import Testing

@testable import StoreAdmin

struct CommandTests {
    let libraries = [
        LinkedLibrary(name: "SQLite", version: "3.40.1"), LinkedLibrary(name: "libpq", version: "15.18"),
    ]

    @Test func `Version prints the package and every library`() {
        let outcome = StoreAdmin.run(["version"], libraries: libraries)
        #expect(outcome.output == "storectl \(StoreAdmin.packageVersion)\nSQLite 3.40.1\nlibpq 15.18\n")
        #expect(outcome.problems == "")
        #expect(outcome.exitCode == .success)
    }

    @Test(arguments: ["help", "--help", "-h"])
    func `Help lists each command with what it does`(word: String) {
        let outcome = StoreAdmin.run([word], libraries: [])
        #expect(outcome.output.contains("\n  help     Prints this text.\n"))
        #expect(
            outcome.output.contains(
                "\n  version  Prints the versions of storectl and of the libraries in it.\n"))
        #expect(outcome.exitCode == .success)
    }

    @Test(arguments: [
        (["migrat"], "storectl: there is no command 'migrat'."),
        ([], "storectl: no command given."),
        (["version", "now"], "storectl: 'version' takes no arguments."),
    ])
    func `Words that make no sense are an error of usage`(words: [String], problem: String) {
        let outcome = StoreAdmin.run(words, libraries: libraries)
        #expect(outcome.output == "")
        #expect(outcome.problems == problem + "\nRun 'storectl help' for the commands.\n")
        #expect(outcome.exitCode == .usage)
        #expect(outcome.exitCode.rawValue == 64)
    }
}
