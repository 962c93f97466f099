import Foundation

/// Runs a command that prints a secret, such as a password manager's.
struct SecretCommand {
    private let words: [String]
    private let environment: ConfigurationEnvironment

    init(words: [String], _ environment: ConfigurationEnvironment) {
        self.words = words
        self.environment = environment
    }

    /// Runs the command, which may prompt on the terminal, and returns the first line of its output.
    func firstLine() throws(StoreError) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment.variables
        process.currentDirectoryURL = URL(fileURLWithPath: environment.directory)
        process.standardOutput = output
        let data: Data
        do {
            try process.run()
            data = try output.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw commandError("can't be run")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw commandError("ended with status \(process.terminationStatus)")
        }
        return SecretSource.firstLine(of: data)
    }

    private func commandError(_ what: String) -> StoreError {
        StoreError(
            .configuration, "the command \(words.first ?? ""), which prints the password, \(what).",
            remedy: "Run the command in a terminal to see its error.")
    }
}
