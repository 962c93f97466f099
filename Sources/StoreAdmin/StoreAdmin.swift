public import ContextCore
import Foundation

/// The entry point of `storectl`, for the stock executable and for an application's own.
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
    /// The version of this package, which equals its Git tag.
    public static let packageVersion = "0.1.0"

    /// Runs the command in the program's arguments with an application's own model, then exits with the command's exit code.
    ///
    /// - Parameters:
    ///   - model: The classes of the application's model. Commands compare stores with it and migrate stores to it.
    ///   - stages: The application's migration stages, by the name of the frozen version that they migrate to.
    ///   - backends: The backends whose stores the tool can open.
    ///   - libraries: The C libraries that the program contains beside those of its backends. The command `version` prints them all.
    ///   - name: The tool's name in its help, its messages and its completions; nil for the file name of the program.
    ///   - version: The application's version, which the command `version` prints; nil if it has none.
    public static func main(
        model: [ManagedObject.Type], stages: [String: [MigrationStage]] = [:], backends: [StoreBackend],
        libraries: [LinkedLibrary] = [], name: String? = nil, version: String? = nil
    ) -> Never {
        // Messages name this program in the commands they suggest, because another storectl doesn't have the model.
        let name = name ?? programName
        do {
            let tool = Tool(
                model: try ObjectModel(model), stages: stages, backends: backends, libraries: libraries,
                environment: .process, name: name, version: version)
            run(tool)
        } catch {
            let error = AdminError(error)
            let text = error.text(TextStyle(), isVerbose: false, program: name)
            FileHandle.standardError.write(Data(text.utf8))
            exit(error.exit.rawValue)
        }
    }

    /// Runs the command in the program's arguments, then exits with the command's exit code.
    ///
    /// The tool works on any store, because each store contains its model.
    ///
    /// - Parameters:
    ///   - backends: The backends whose stores the tool can open.
    ///   - libraries: The C libraries that the program contains beside those of its backends. The command `version` prints them all.
    public static func main(backends: [StoreBackend], libraries: [LinkedLibrary] = []) -> Never {
        run(Tool(model: nil, backends: backends, libraries: libraries, environment: .process))
    }

    /// The file name of the running program.
    private static var programName: String {
        CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? Tool.defaultName
    }

    private static func run(_ tool: Tool) -> Never {
        var tool = tool
        tool.clone = Bundle.main.executableURL.flatMap(PackageDependency.clone(around:))
        let words = Array(CommandLine.arguments.dropFirst())
        let output = Output.process(tool.environment.variables, wantsColor: !words.contains("--no-color"))
        // When the reader of a pipe exits, as `head` does, writes fail with EPIPE, which `CommandRun` treats as no error.
        signal(SIGPIPE, SIG_IGN)
        exit(CommandRun(tool: tool, output: output, stopRequest: .process).run(words).rawValue)
    }
}
