import ContextCore
import Foundation

/// The frozen model files of several versions.
struct FrozenFolder {
    let path: String

    init(_ versions: [ModelVersion], in path: String) throws {
        self.path = path
        let folder = URL(filePath: path)
        for name in ["Models", "Migrations"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        for version in versions {
            try version.model.fileText.write(
                to: folder.appendingPathComponent("Models/\(version.name).model.json"), atomically: true,
                encoding: .utf8)
        }
        for (from, to) in zip(versions, versions.dropFirst()) {
            let manifest = MigrationManifest(try ModelTransition(from: from, to: to))
            try manifest.fileText.write(
                to: folder.appendingPathComponent("Migrations/\(from.name)-\(to.name).json"),
                atomically: true,
                encoding: .utf8)
        }
    }
}
