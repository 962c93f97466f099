public import ContextCore
import Foundation

/// Runs `storectl`: every command of the tool, for the stock executable and for an application's own.
///
/// ```swift
/// import SQLiteBackend
/// import StoreAdmin
///
/// @main enum GamesTool {
///     static func main() { StoreAdmin.main(model: [Game.self, Player.self], backends: [.sqlite]) }
/// }
/// ```
public enum StoreAdmin {
    /// The version of this package, as its tag says it.
    public static let packageVersion = "0.1.0"

    /// Runs the command named in the program's arguments with an application's own model, then exits with its code.
    ///
    /// - Parameters:
    ///   - model: The classes of the application's model, which stores are compared with.
    ///   - stages: What the application does on the way to frozen versions of its model, by their names.
    ///   - backends: The kinds of store that the tool can open.
    ///   - libraries: The C libraries that the program carries; `version` prints them.
    public static func main(
        model: [ManagedObject.Type], stages: [String: [MigrationStage]] = [:], backends: [StoreBackend],
        libraries: [LinkedLibrary] = []
    ) -> Never {
        do {
            run(try ObjectModel(model), stages, backends, libraries)
        } catch {
            let error = AdminError(error)
            let text = error.text(TextStyle(), isVerbose: false, program: programName)
            FileHandle.standardError.write(Data(text.utf8))
            exit(error.exit.rawValue)
        }
    }

    /// Runs the command named in the program's arguments, then exits with its code.
    ///
    /// The tool works on any store, since a store keeps its model.
    ///
    /// - Parameters:
    ///   - backends: The kinds of store that the tool can open.
    ///   - libraries: The C libraries that the program carries; `version` prints them.
    public static func main(backends: [StoreBackend], libraries: [LinkedLibrary] = []) -> Never {
        run(nil, [:], backends, libraries)
    }

    /// What the running program is called.
    private static var programName: String {
        CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? Tool.stockName
    }

    private static func run(
        _ model: ObjectModel?, _ stages: [String: [MigrationStage]], _ backends: [StoreBackend],
        _ libraries: [LinkedLibrary]
    ) -> Never {
        var tool = Tool(
            model: model, stages: stages, backends: backends, libraries: libraries, surroundings: .process)
        // Another storectl wouldn't know the model.
        if model != nil { tool.name = programName }
        let words = Array(CommandLine.arguments.dropFirst())
        let output = Output.process(tool.surroundings.variables, wantsColour: !words.contains("--no-color"))
        // A reader that goes away, as `head` does, is no fault: the write that follows fails, and nobody is told.
        signal(SIGPIPE, SIG_IGN)
        exit(CommandRun(tool: tool, output: output, interruption: .process).run(words).rawValue)
    }
}
