import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct NewPackageTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Runs a program of the toolchain, and returns its output.
    private func swift(_ words: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: NewPackage.Backend.allCases)
    func `The files of a new package are complete and parse`(backend: NewPackage.Backend) throws {
        let root = DocumentShapes.root.standardizedFileURL.path
        let outcome = bench.run("new", "Chess", "--backend", backend.rawValue, "--package", root)
        try #require(outcome.exit == .success, "\(outcome.problems)")
        let folder = bench.folder + "/Chess"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        let expected = [
            ".gitignore", "Package.swift", "README.md", "Sources/Chess/main.swift",
            "Sources/ChessTool/main.swift", "Sources/Model/Model.swift",
            "Tests/ModelTests/NotebookTests.swift", "docker-compose.yml", "storectl.json",
        ]
        #expect(files.sorted() == expected)
        for file in expected { #expect(outcome.output.contains("created Chess/\(file)\n")) }
        let sources = expected.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        for source in sources { _ = try swift(["swiftc", "-parse", source]) }
        let manifest = try swift(["swift", "package", "--package-path", folder, "dump-package"])
        for word in [#""Chess""#, #""ChessTool""#, #""Model""#, #""ModelTests""#, root] {
            #expect(manifest.contains(word), "\(word)")
        }
    }

    @Test(arguments: [("sqlite", "dev"), ("postgres", "server")])
    func `The configuration of a new package has both stores`(backend: String, name: String) throws {
        _ = bench.run("new", "Chess", "--backend", backend)
        let file = "Chess/storectl.json"
        #expect(bench.run("config", "check", "--config", file).output == "no problems found\n")
        #expect(try bench.json("config", "show", "--config", file)["default"] == .string(name))
        let url = "postgres://app@127.0.0.1:5432/chess"
        #expect(bench.run("config", "show", "--config", file).output.contains(url))
        #expect(try bench.read("Chess/docker-compose.yml").contains("POSTGRES_DB: chess\n"))
        // The README starts the server before its first use.
        let readMe = try bench.read("Chess/README.md")
        let start = try #require(readMe.firstRange(of: "docker compose up")).lowerBound
        let run = try #require(readMe.firstRange(of: "swift run Chess ")).lowerBound
        #expect((start < run) == (backend == "postgres"))
    }

    @Test func `A package depends on a clone only if it is given or contains the program`() throws {
        let root = DocumentShapes.root.resolvingSymlinksInPath()
        let program = root.appendingPathComponent(".build/debug/storectl")
        #expect(PackageDependency.clone(around: program) == root.path)
        #expect(PackageDependency.clone(around: URL(fileURLWithPath: "/usr/bin/storectl")) == nil)
        let outcome = bench.run("new", "Chess")
        #expect(outcome.output.contains("The package depends on \(PackageDependency.url).\n"))
        let declaration =
            ".package(url: \"\(PackageDependency.url).git\", .upToNextMinor(from: \"\(StoreAdmin.packageVersion)\"))"
        #expect(try bench.read("Chess/Package.swift").contains(declaration))
    }

    @Test(
        arguments: [
            ("/home/ann/Chess", "/home/ann/ContextCore", "../ContextCore"),
            ("/home/ann/Chess", "/home/ann/libraries/swift/ContextCore", "../libraries/swift/ContextCore"),
            ("/home/ann/games/Chess", "/home/ann/ContextCore", "../../ContextCore"),
            ("/home/ann/ContextCore/Chess", "/home/ann/ContextCore", ".."),
            ("/home/ann/Chess", "/home/ann/Chessboard", "../Chessboard"),
            ("/home/ann/games/Chess", "/home/ann/libraries/ContextCore", nil),
            ("/home/ann/Chess", "/home/bo/ContextCore", nil),
            ("/home/ann/Chess", "/ContextCore", nil),
            ("/Chess", "/ContextCore", nil),
        ] as [(String, String, String?)])
    func `The path of a clone near the package is relative`(package: String, clone: String, path: String?) {
        let dependency = PackageDependency.clone(clone)
        let located = dependency.located(from: package)
        #expect(located == path.map { .nearbyClone(clone, relativePath: $0) } ?? dependency)
        #expect(located.location == clone)
        #expect(located.declaration == PackageDependency.cloneDeclaration(path ?? clone))
    }

    @Test(arguments: NewPackage.Backend.allCases)
    func `A new package says what it depends on, and how to change that`(backend: NewPackage.Backend) throws {
        for file in ["Package.swift", "Sources/StoreAdmin/StoreAdmin.swift"] {
            let url = URL(fileURLWithPath: "\(bench.folder)/Clones/ContextCore/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        let near = bench.run("new", "Near", "--backend", backend.rawValue, "--package", "Clones/ContextCore")
        #expect(
            near.output.contains(
                "\nThe package depends on the clone ../Clones/ContextCore, by a path relative to"))
        #expect(try bench.read("Near/Package.swift").contains(#"path: "../Clones/ContextCore")"#))
        let root = DocumentShapes.root.standardizedFileURL.path
        let far = bench.run("new", "Far", "--backend", backend.rawValue, "--package", root)
        #expect(far.output.contains("\nThe package depends on the clone \(root),\nby an absolute path,"))
        // A link beside the package is near, wherever it leads.
        try FileManager.default.createSymbolicLink(
            atPath: "\(bench.folder)/Link", withDestinationPath: root)
        _ = bench.run("new", "Linked", "--backend", backend.rawValue, "--package", "Link")
        #expect(try bench.read("Linked/Package.swift").contains(#"path: "../Link")"#))
        for (package, path) in [("Near", "../Clones/ContextCore"), ("Far", root)] {
            let readMe = try bench.read("\(package)/README.md")
            #expect(readMe.contains("depends on the clone of ContextCore in `\(path)`"))
            #expect(readMe.contains("\n\(PackageDependency.repositoryDeclaration)\n"))
            #expect(readMe.contains("`STORECTL_URL`"))
        }
        #expect(far.output.contains("storectl.json\n  swift run Far\n") == (backend == .postgres))
    }

    @Test(
        arguments: [
            ("chess", "Write Chess."), ("a-b", "Use letters, digits"), ("../Chess", "Use letters, digits"),
            ("", "Use letters, digits"), ("9", "Use letters, digits"), ("Schöck", "Use letters, digits"),
            ("Model", "Choose another name."), ("ContextCore", "Choose another name."),
        ])
    func `A name that can't be a module is refused`(name: String, hint: String) throws {
        let outcome = bench.run("new", name)
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.contains("\n  \(hint)"), "\(outcome.problems)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
    }

    @Test func `An existing folder is refused and stays unchanged`() throws {
        let folder = bench.folder + "/Chess"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let outcome = bench.run("new", "Chess")
        #expect(outcome.exit == .cannotCreate)
        #expect(outcome.problems.contains("\(folder) already exists."), "\(outcome.problems)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `A folder without ContextCore is no dependency`() throws {
        let outcome = bench.run("new", "Chess", "--package", ".")
        #expect(outcome.exit == .inputMissing)
        #expect(outcome.problems.contains("doesn't contain ContextCore."), "\(outcome.problems)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
    }
}
