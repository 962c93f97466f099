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

    /// The nearest file from the working folder upward; a repository's root and the home folder are looked at last.
    private func projectFile() -> String? {
        var folder = URL(fileURLWithPath: surroundings.directory).standardizedFileURL
        while true {
            let file = folder.appendingPathComponent(Self.fileName).path
            if isThere(file) { return file }
            let isLast =
                folder.path == "/" || folder.path == surroundings.home
                || isThere(folder.appendingPathComponent(".git").path)
            if isLast { return nil }
            folder = folder.deletingLastPathComponent()
        }
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
