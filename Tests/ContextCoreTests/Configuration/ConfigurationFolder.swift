import Foundation

@testable import ContextCore

/// A temporary folder for one test, which is deleted with this object.
final class ConfigurationFolder {
    let path: String
    /// The simulated home folder of the process.
    let home: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        path = base.appendingPathComponent("project").path
        home = base.appendingPathComponent("home").path
        for folder in [path, home] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit {
        let base = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.removeItem(at: base)
    }

    /// Writes a file, in the project unless its path is absolute.
    @discardableResult
    func write(_ text: String, to name: String = "storectl.json", permissions: Int = 0o600) throws -> String {
        let file = URL(fileURLWithPath: name.hasPrefix("/") ? name : path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        return file.path
    }

    func environment(
        _ variables: [String: String] = [:], in folder: String? = nil
    ) -> ConfigurationEnvironment {
        ConfigurationEnvironment(
            variables: variables.merging(["HOME": home, "PATH": "/usr/bin:/bin"]) { given, _ in given },
            directory: folder ?? path)
    }
}
