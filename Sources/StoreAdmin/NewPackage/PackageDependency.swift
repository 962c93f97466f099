import Foundation

/// Where a new package finds this one.
enum PackageDependency: Equatable, Sendable {
    /// A clone on this machine, by its absolute path.
    case clone(String)
    /// A clone near the new package, by its absolute path, and by its path relative to the folder of the package.
    case nearbyClone(String, relativePath: String)
    /// The repository of ``url``, from the version of this program.
    case repository

    /// The address of this package's repository.
    static let url = "https://github.com/OWNER/ContextCore"

    /// The dependency on the repository in a manifest.
    static let repositoryDeclaration =
        ".package(url: \"\(url).git\", .upToNextMinor(from: \"\(StoreAdmin.packageVersion)\"))"

    /// Returns the dependency on a clone in a manifest.
    static func cloneDeclaration(_ path: String) -> String {
        ".package(name: \"ContextCore\", path: \(path.debugDescription))"
    }

    /// The absolute path of the folder, or the address.
    var location: String {
        switch self {
        case .clone(let folder), .nearbyClone(let folder, _): folder
        case .repository: Self.url
        }
    }

    /// The dependency in a manifest.
    var declaration: String {
        switch self {
        case .clone(let path), .nearbyClone(_, let path): Self.cloneDeclaration(path)
        case .repository: Self.repositoryDeclaration
        }
    }

    /// Sentences about the dependency, and what to do on another machine.
    var explanation: String {
        switch self {
        case .clone(let path):
            """
            The package depends on the clone \(path),
            by an absolute path, which other machines don't have. There, change it in Package.swift, or depend on a release.
            For a relative path, create the package beside the clone.
            """
        case .nearbyClone(_, let path):
            """
            The package depends on the clone \(path), by a path relative to its folder.
            Another machine needs a clone in that place too. If you move either folder, change the path in Package.swift.
            """
        case .repository:
            """
            The package depends on \(Self.url).
            To depend on a clone on this machine, create the package with --package PATH.
            """
        }
    }

    /// Returns the clone that a folder contains.
    ///
    /// - Throws: ``AdminError`` if the folder doesn't contain this package.
    static func clone(in folder: String) throws(AdminError) -> PackageDependency {
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        if isClone(path) { return .clone(path) }
        throw AdminError(
            code: "SC3011", exit: .inputMissing, message: "the folder \(path) doesn't contain ContextCore.",
            hint:
                "--package takes the folder of a clone, which contains Package.swift and Sources/StoreAdmin.")
    }

    /// Returns the dependency of a package in a folder: by a relative path if the clone is near the package, else unchanged.
    ///
    /// A clone is near if it is beside the package, if the folder around the package contains it, or if the folder around it contains the
    /// package. Such folders are likely to be moved and cloned together.
    ///
    /// - Parameter package: The absolute path of the package. Its folder may be missing.
    func located(from package: String) -> PackageDependency {
        guard case .clone(let clone) = self else { return self }
        let (own, other) = (Self.resolvedComponents(of: package), Self.resolvedComponents(of: clone))
        let shared = zip(own, other).prefix { $0 == $1 }.count
        // The first component is the root, which contains every folder.
        guard shared > 1, shared >= min(own.count, other.count) - 1 else { return self }
        let steps = Array(repeating: "..", count: own.count - shared) + other[shared...]
        return .nearbyClone(clone, relativePath: steps.joined(separator: "/"))
    }

    /// Returns the components of the path of a folder, without symbolic links above it: the system resolves “..” after such links.
    ///
    /// The folder may be a link, as its name stays in a relative path.
    private static func resolvedComponents(of folder: String) -> [String] {
        let url = URL(fileURLWithPath: folder)
        return url.deletingLastPathComponent().resolvingSymlinksInPath().pathComponents
            + [url.lastPathComponent]
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
