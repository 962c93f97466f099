import Foundation

/// Where a new package finds this one.
enum PackageDependency: Equatable, Sendable {
    /// A clone on this machine.
    case path(String)
    /// The repository of ``url``, from the version of this program.
    case repository

    /// The address of this package's repository.
    static let url = "https://github.com/OWNER/ContextCore"

    /// The folder or the address.
    var location: String {
        switch self {
        case .path(let path): path
        case .repository: Self.url
        }
    }

    /// The dependency in a manifest.
    var declaration: String {
        switch self {
        case .path(let path): ".package(name: \"ContextCore\", path: \(path.debugDescription))"
        case .repository:
            ".package(url: \"\(Self.url).git\", .upToNextMinor(from: \"\(StoreAdmin.packageVersion)\"))"
        }
    }

    /// Returns the clone that a folder contains.
    ///
    /// - Throws: ``AdminError`` if the folder doesn't contain this package.
    static func clone(in folder: String) throws(AdminError) -> PackageDependency {
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        if isClone(path) { return .path(path) }
        throw AdminError(
            code: "SC3011", exit: .inputMissing, message: "the folder \(path) doesn't contain ContextCore.",
            hint:
                "--package takes the folder of a clone, which contains Package.swift and Sources/StoreAdmin.")
    }

    /// Returns the clone that a program was built in, which is above the program's folder; nil if there is none.
    static func clone(around program: URL) -> String? {
        var folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            if isClone(folder.path) { return folder.path }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private static func isClone(_ folder: String) -> Bool {
        ["Package.swift", "Sources/StoreAdmin/StoreAdmin.swift"].allSatisfy {
            FileManager.default.fileExists(atPath: "\(folder)/\($0)")
        }
    }
}
