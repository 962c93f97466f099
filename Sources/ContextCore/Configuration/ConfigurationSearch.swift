import Foundation

/// Finds the configuration files of a process.
struct ConfigurationSearch {
    /// The name of a project's file.
    static let fileName = "storectl.json"

    private let environment: ConfigurationEnvironment

    init(_ environment: ConfigurationEnvironment) {
        self.environment = environment
    }

    /// Returns the paths of the existing files: the project's, followed by the user's.
    func files() -> [String] { [projectFile(), userFile()].compactMap { $0 } }

    /// Returns the nearest file in the working directory or its parents, up to the root of a repository or the home directory.
    ///
    /// If the working directory is in neither, its parents may belong to other users, so only the working directory is searched.
    private func projectFile() -> String? {
        let start = URL(fileURLWithPath: environment.directory).standardizedFileURL
        var folders = [start]
        while let folder = folders.last, !isSearchRoot(folder) {
            if folder.path == "/" {
                folders = [start]
                break
            }
            folders.append(folder.deletingLastPathComponent())
        }
        return folders.map { $0.appendingPathComponent(Self.fileName).path }.first(where: fileExists)
    }

    private func isSearchRoot(_ folder: URL) -> Bool {
        folder.path == environment.home || fileExists(folder.appendingPathComponent(".git").path)
    }

    private func userFile() -> String? {
        let variable = environment.variables["XDG_CONFIG_HOME"]
        guard
            let folder = variable.flatMap({ $0.hasPrefix("/") ? $0 : nil })
                ?? environment.home.map({ $0 + "/.config" })
        else { return nil }
        let file = folder + "/storectl/config.json"
        return fileExists(file) ? file : nil
    }

    private func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
