import ContextCore
import Foundation

/// The files of new versions, which are written before a store is migrated and removed if it wasn't.
struct VersionFiles {
    /// A file with its contents.
    private struct Contents {
        let path: String
        let text: String
    }

    private let history: ModelHistory
    private let files: [Contents]
    /// The files of the version that is replaced.
    private let replaced: [Contents]

    /// The paths of the files, models first.
    var paths: [String] { files.map(\.path) }

    /// Creates the files of new versions.
    ///
    /// - Parameter amended: The name of the version whose files are replaced, and the name of the version before, if there is one.
    init(
        _ versions: [NewVersion], replacing amended: (name: String, older: String?)?, in history: ModelHistory
    ) throws {
        self.history = history
        files =
            versions.map {
                Contents(path: history.modelPath($0.version.name), text: $0.version.model.fileText)
            }
            + versions.compactMap(\.manifest).map {
                Contents(path: history.manifestPath($0.from, $0.to), text: $0.fileText)
            }
        guard let amended else {
            replaced = []
            return
        }
        let paths =
            [history.modelPath(amended.name)]
            + [amended.older].compactMap { $0.map { history.manifestPath($0, amended.name) } }
        replaced = try paths.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw AdminError(
                    code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                    hint: "--amend replaces it, so it must have that name.")
            }
            return Contents(path: path, text: String(decoding: data, as: UTF8.self))
        }
    }

    /// Writes the files; if that fails, the folders are as before.
    func write() throws {
        var written: [String] = []
        do {
            for file in replaced { try FileManager.default.removeItem(atPath: file.path) }
            for file in files {
                try history.write(file.text, to: file.path)
                written.append(file.path)
            }
        } catch {
            restore(removing: written)
            throw error
        }
    }

    /// Removes the files that were written, and restores those that they replaced.
    func remove() { restore(removing: paths) }

    private func restore(removing paths: [String]) {
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
        for file in replaced where !FileManager.default.fileExists(atPath: file.path) {
            try? history.write(file.text, to: file.path)
        }
    }
}
