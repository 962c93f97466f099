import Foundation

/// A package with a model, a program, a tool with that model, and tests.
///
/// The contents of its files are constants in this folder. The package builds without changes.
struct NewPackage: Sendable {
    /// The backend of the default store.
    enum Backend: String, CaseIterable, Sendable {
        case sqlite
        case postgres
    }

    /// The name of the package, its folder and its program.
    let name: String
    let backend: Backend
    let dependency: PackageDependency

    /// The name of the SQLite file and of the database on the server.
    var storeName: String { name.lowercased() }

    /// The files, by their paths in the package's folder.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            ("Sources/Model/Model.swift", model),
            ("Sources/\(name)/main.swift", program),
            ("Sources/\(name)Tool/main.swift", tool),
            ("Tests/ModelTests/NotebookTests.swift", tests),
            ("storectl.json", configuration),
            ("docker-compose.yml", composeFile),
            (".gitignore", ignoredFiles),
            ("README.md", readMe),
        ]
    }

    /// Creates the folder with the files, and removes it again if a file can't be written.
    ///
    /// - Throws: ``AdminError`` if the folder exists or can't be created; an error if a file can't be written.
    func write(to folder: URL) throws {
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw Self.creationError(folder.path)
        }
        do {
            for file in self.files {
                let url = folder.appendingPathComponent(file.path)
                try files.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url)
            }
        } catch {
            try? files.removeItem(at: folder)
            throw error
        }
    }

    private static func creationError(_ path: String) -> AdminError {
        if FileManager.default.fileExists(atPath: path) {
            return AdminError(
                code: "SC3009", exit: .cannotCreate, message: "\(path) already exists.",
                hint: "Choose another name, or remove the folder.")
        }
        return AdminError(
            code: "SC3009", exit: .cannotCreate, message: "the folder \(path) can't be created.",
            hint: "Check the folder around it, and your permission to write there.")
    }
}

extension NewPackage {
    /// Throws if a name can't be that of a package, a program and a Swift module.
    static func checkName(_ name: String) throws(AdminError) {
        let isIdentifier = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isIdentifier, let first = name.first, first.isUppercase else {
            let hint = isIdentifier && name.first?.isLowercase == true ? name.prefix(1).uppercased() : nil
            throw .usage(
                "“\(name)” can't be the name of a Swift module.",
                hint: hint.map { "Write \($0)\(name.dropFirst())." }
                    ?? "Use letters, digits and underscores, with a capital letter at the beginning.")
        }
        if reservedNames.contains(name.lowercased()) {
            throw .usage(
                "the name \(name) is taken by a module or type that the package uses.",
                hint: "Choose another name.")
        }
    }

    /// The lowercase names of modules and types in the package and in its dependencies, and of reserved words.
    private static let reservedNames: Set = [
        "model", "modeltests", "note", "notebook", "store",
        "contextcore", "contextmacros", "macroexpansion", "sqlstore", "sqlitebackend", "postgresbackend",
        "csqlite", "cpostgres", "storeadmin", "storeconformance", "storectl",
        "swift", "foundation", "testing", "any", "self", "type", "protocol",
    ]
}
