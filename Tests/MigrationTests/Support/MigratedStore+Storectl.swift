import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Synchronization

@testable import StoreAdmin

extension MigratedStore {
    /// Freezes versions in the test's folder, with the manifests of the migrations between them.
    func freeze(_ versions: [ModelVersion]) throws {
        for name in ["Models", "Migrations"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        for version in versions {
            try write(version.model.fileText, to: "Models/\(version.name).model.json")
        }
        for (from, to) in zip(versions, versions.dropFirst()) {
            let manifest = MigrationManifest(try ModelTransition(from: from, to: to))
            try write(manifest.fileText, to: "Migrations/\(from.name)-\(to.name).json")
        }
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    /// Runs a command of `storectl` on the store, in the test's folder.
    func storectl(_ words: String...) -> (output: String, problems: String, isDone: Bool) {
        let said = Mutex((output: "", problems: ""))
        let output = Output(
            data: { text in said.withLock { $0.output += text } },
            message: { text in said.withLock { $0.problems += text } }, style: TextStyle(),
            messageStyle: TextStyle())
        let environment = ConfigurationEnvironment(
            variables: ["HOME": path("."), "PATH": "/usr/bin:/bin", "STORECTL_URL": text],
            directory: path("."))
        let tool = Tool(
            model: nil, backends: [.sqlite, .postgres], libraries: [], environment: environment,
            input: LineInput(isTerminal: false) { nil })
        let exit = CommandRun(tool: tool, output: output).run(words)
        return said.withLock { ($0.output, $0.problems, exit == .success) }
    }
}
