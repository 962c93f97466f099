import Foundation

/// A package with the code of all documents, which depends on this one by path, as a user's package would.
///
/// Each document is a module. The README's first program is also an executable, exactly as printed, and so is the article about backends,
/// whose backend must pass the conformance suite. Each step of the tutorial has its own copy of the tutorial's targets: `Chess_3` is the
/// program `Chess` in the third state in which a page runs it.
struct DocumentationPackage {
    /// The libraries that the code in documents can use.
    static let modules = [
        "ContextCore", "Foundation", "PostgresBackend", "SQLiteBackend", "StoreAdmin", "StoreConformance",
    ]

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The build folder; see `swift_consumer` in scripts/support/common.sh.
    private static let scratch = root.appendingPathComponent(
        ProcessInfo.processInfo.environment["CONSUMERS_SCRATCH"] ?? ".build/consumers")
    private static let folder = scratch.appendingPathComponent("documentation")

    /// The build that all tests share.
    static let build = Task { try await DocumentationPackage().build() }

    /// The README's first program.
    static let program = scratch.appendingPathComponent("debug/FirstProgram")

    /// The article's backend and its fixture, which prints “kept” after it has passed every case.
    static let backend = scratch.appendingPathComponent("debug/ArticleBackend")

    /// Builds a package that depends on this one, and runs its tests, after the documents' package in the same folder.
    ///
    /// - Returns: The folder of its programs.
    static func test(_ package: URL) async throws -> URL {
        try await build.value
        let result = try await Subprocess.run(
            "swift",
            ["test", "--package-path", package.path, "--scratch-path", scratch.path, "--disable-xctest"]
                + sharing)
        guard result.status == 0 else { throw DocumentationError(result.output) }
        return scratch.appendingPathComponent("debug")
    }

    /// The options of a build in the shared folder.
    ///
    /// The `swift test` that runs these tests locks it, but doesn't build anything in the meantime.
    private static let sharing = ["--ignore-lock", "--disable-build-manifest-caching"]

    /// The steps of the tutorial.
    static let tutorial = Task {
        let pages = try documents().filter { $0.contains("/tutorial-") }.map { path in
            (name: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
        }
        return try await Tutorial.steps(of: pages)
    }

    /// The package that the README shows, and its commands.
    static let readme = Task {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let steps = try await Tutorial.steps(of: [(name: "README.md", text: text)])
        guard steps.count == 1 else {
            throw DocumentationError("README.md must show one package, and change it before all commands")
        }
        return steps[0]
    }

    /// Reads an image that the documents show.
    static func image(_ name: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent("docs/images/\(name)"), encoding: .utf8)
    }

    /// Makes a folder with links to the programs of a step, by their names in the tutorial.
    static func linkPrograms(of number: Int, _ step: Tutorial.Step, in folder: URL) throws -> URL {
        let targets = step.targets(numbered: number).filter(\.isExecutable)
        let programs = targets.map { target in
            (name: target.name, url: scratch.appendingPathComponent("debug/\(target.uniqueName)"))
        }
        return try link(programs, in: folder.appendingPathComponent("programs-\(number)"))
    }

    /// Makes a folder with links to programs, and returns it.
    static func link(_ programs: [(name: String, url: URL)], in folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for program in programs {
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent(program.name), withDestinationURL: program.url)
        }
        return folder
    }

    /// Reads the files of the finished tutorial that are in the repository too, by their paths in the package.
    static func finishedExample() throws -> [String: String] {
        let folder = root.appendingPathComponent("Examples/ChessClub")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let file = folder.appendingPathComponent(path)
                return ("Sources/\(path)", try String(contentsOf: file, encoding: .utf8))
            })
    }

    /// Returns the documents whose Swift is compiled: those in the root folder and in `docs`, and the articles of the documentation
    /// catalogs.
    static func documents() throws -> [String] {
        let top = ["README.md", "CONTRIBUTING.md"].filter {
            FileManager.default.fileExists(atPath: root.path + "/" + $0)
        }
        let below = try ["docs", "Sources"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                .filter { $0.hasSuffix(".md") }
                .map { "\(folder)/\($0)" }
        }
        return top + below.sorted()
    }

    /// Reads the sources with Swift in their doc comments.
    private static func sources() throws -> [(path: String, text: String)] {
        let folder = root.appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { path in
            guard path.hasSuffix(".swift") else { return nil }
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            return text.contains("/// ```swift") ? ("Sources/\(path)", text) : nil
        }
    }

    /// Returns a document's blocks, preceded by the blocks of other documents whose declarations it uses.
    static func blocks(of document: String) throws -> [CodeBlock] {
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let own = try CodeBlock.blocks(in: text, document: document)
        let borrowed = try own.flatMap(\.lenders).flatMap(blocks(of:)).map { block in
            var block = block
            block.isBorrowed = true
            return block
        }
        return borrowed + own
    }

    /// Writes and builds the package; an error contains the compiler's output.
    private func build() async throws {
        let modules = try Self.documents().flatMap { document in
            let name = String(document.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            return DocumentModule.modules(of: try Self.blocks(of: document), named: name)
        }
        let comments = try DocComments.modules(of: Self.sources())
        for module in modules + comments {
            try write(module.source, to: "Sources/\(module.name)/Blocks.swift")
        }
        try await write(firstProgram(), to: "Sources/FirstProgram/main.swift")
        try write(articleBackend(), to: "Sources/ArticleBackend/main.swift")
        let steps = try await Self.tutorial.value
        let targets = steps.enumerated().flatMap { $1.targets(numbered: $0 + 1) }
        for target in targets { try write(target) }
        try write(
            manifest(libraries: (modules + comments).map(\.name), tutorial: targets), to: "Package.swift")
        let arguments =
            ["build", "--package-path", Self.folder.path, "--scratch-path", Self.scratch.path] + Self.sharing
        let result = try await Subprocess.run("swift", arguments)
        let messages = result.output.split(separator: "\n").filter { !$0.hasPrefix("[") }.joined(
            separator: "\n")
        guard result.status == 0 else { throw DocumentationError(messages) }
    }

    /// Writes a file only if its contents change, so that the next build is incremental.
    private func write(_ text: String, to path: String) throws {
        let file = Self.folder.appendingPathComponent(path)
        if (try? String(contentsOf: file, encoding: .utf8)) == text { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// Writes the sources of a target of the tutorial, and removes those that it no longer has.
    private func write(_ target: Tutorial.Target) throws {
        let path = "Sources/\(target.uniqueName)"
        for (name, text) in target.sources { try write(text, to: "\(path)/\(name)") }
        let folder = Self.folder.appendingPathComponent(path)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where target.sources[name] == nil {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private func firstProgram() async throws -> String {
        guard let program = try await Self.readme.value.files["Sources/main.swift"] else {
            throw DocumentationError("README.md shows no program")
        }
        return program
    }

    private func articleBackend() throws -> String {
        let article = "Sources/ContextCore/ContextCore.docc/writing-a-backend.md"
        let module = DocumentModule(name: "ArticleBackend", blocks: try Self.blocks(of: article))
        return module.source + "\ntry await findOut()\nprint(\"kept\")\n"
    }

    private func manifest(libraries: [String], tutorial: [Tutorial.Target]) -> String {
        let products = Self.modules.filter { $0 != "Foundation" }
            .map { ".product(name: \"\($0)\", package: \"ContextCore\")" }.joined(separator: ", ")
        let targets = libraries.map { ".target(name: \"\($0)\", dependencies: libraries),\n        " }
            .joined()
        let steps = tutorial.map { "\($0.declaration),\n        " }.joined()
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let libraries: [Target.Dependency] = [\(products)]

            let package = Package(
                name: "Documentation",
                dependencies: [.package(name: "ContextCore", path: "\(Self.root.path)")],
                targets: [
                    \(targets)\(steps).executableTarget(name: "FirstProgram", dependencies: libraries),
                    .executableTarget(name: "ArticleBackend", dependencies: libraries)
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }
}
