import Foundation

/// Finds the configuration files of a process.
struct ConfigurationSearch {
    /// The name of a project's file.
    static let fileName = "storectl.json"

    private let surroundings: ConfigurationEnvironment

    init(_ surroundings: ConfigurationEnvironment) {
        self.surroundings = surroundings
    }

    /// Returns the paths of the existing files: the project's, followed by the user's.
    func files() -> [String] { [projectFile(), userFile()].compactMap { $0 } }

    /// Returns the nearest file in the working directory or its parents, up to the root of a repository or the home directory.
    ///
    /// If the working directory is in neither, its parents may belong to other users, so only the working directory is searched.
    private func projectFile() -> String? {
        let start = URL(fileURLWithPath: surroundings.directory).standardizedFileURL
        var folders = [start]
        while let folder = folders.last, !isLast(folder) {
            if folder.path == "/" {
                folders = [start]
                break
            }
            folders.append(folder.deletingLastPathComponent())
        }
        return folders.map { $0.appendingPathComponent(Self.fileName).path }.first(where: isThere)
    }

    private func isLast(_ folder: URL) -> Bool {
        folder.path == surroundings.home || isThere(folder.appendingPathComponent(".git").path)
    }

    private func userFile() -> String? {
        let variable = surroundings.variables["XDG_CONFIG_HOME"]
        guard
            let folder = variable.flatMap({ $0.hasPrefix("/") ? $0 : nil })
                ?? surroundings.home.map({ $0 + "/.config" })
        else { return nil }
        let file = folder + "/storectl/config.json"
        return isThere(file) ? file : nil
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
