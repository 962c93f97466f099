import Foundation

/// Runs `storectl`: every command of the tool, for the stock executable and for an application's own.
public enum StoreAdmin {
    /// The version of this package, as its tag says it.
    public static let packageVersion = "0.1.0"

    /// Runs the command named in the program's arguments, then exits with its code.
    ///
    /// An application's own `storectl` is an executable whose `main` calls this.
    ///
    /// - Parameter libraries: The C libraries that the program carries; `version` prints them.
    public static func main(libraries: [LinkedLibrary] = []) -> Never {
        let outcome = run(CommandLine.arguments.dropFirst(), libraries: libraries)
        FileHandle.standardOutput.write(Data(outcome.output.utf8))
        FileHandle.standardError.write(Data(outcome.problems.utf8))
        exit(outcome.exitCode.rawValue)
    }

    /// Runs the command named by the first of the words, and returns what it says.
    static func run(_ words: some Sequence<String>, libraries: [LinkedLibrary]) -> CommandOutcome {
        let commands: [any Command] = [
            VersionCommand(packageVersion: packageVersion, libraries: libraries)
        ]
        return CommandList(commands: commands).run(Array(words))
    }
}
