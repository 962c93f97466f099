import Foundation

/// Finds the files that a process's configuration stands in.
struct ConfigurationSearch {
    /// What the file of a project is called.
    static let fileName = "storectl.json"

    private let surroundings: ConfigurationSurroundings

    init(_ surroundings: ConfigurationSurroundings) {
        self.surroundings = surroundings
    }

    /// The project's file and the user's, as far as they are there.
    func files() -> [String] { [projectFile(), userFile()].compactMap { $0 } }

    /// The nearest file from the working folder upward, up to a repository's root or the home folder.
    ///
    /// Outside of both nobody says whose the folders above are, so the working folder alone is looked at.
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
