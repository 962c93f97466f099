import Foundation

/// Runs a command that prints a secret, such as a password manager's.
struct SecretCommand {
    private let words: [String]
    private let surroundings: ConfigurationEnvironment

    init(words: [String], _ surroundings: ConfigurationEnvironment) {
        self.words = words
        self.surroundings = surroundings
    }

    /// Runs the command, which may prompt on the terminal, and returns the first line of its output.
    func firstLine() throws(StoreError) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = surroundings.variables
        process.currentDirectoryURL = URL(fileURLWithPath: surroundings.directory)
        process.standardOutput = output
        let data: Data
        do {
            try process.run()
            data = try output.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw failed("can't be run")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw failed("ended with status \(process.terminationStatus)")
        }
        return SecretSource.firstLine(of: data)
    }

    private func failed(_ what: String) -> StoreError {
        StoreError(
            .configuration, "the command \(words.first ?? ""), which prints the password, \(what).",
            remedy: "Run the command in a terminal to see its error.")
    }
}
