import Foundation

/// The tutorial: pages that add to one package step by step, and show what its programs print.
///
/// A comment above a fence says what it is for:
///
/// | comment | the fence is |
/// | --- | --- |
/// | `<!-- file: PATH -->` | a file of the package, whole |
/// | `<!-- file: PATH, at the end -->` | lines to append to that file |
/// | `<!-- file: PATH, above: LINE -->` | lines to insert above the only line with that text |
/// | `<!-- file: PATH, instead of: LINE -->` | lines that replace that line |
/// | `<!-- edit -->` | shell commands that change files of the package |
/// | `<!-- run -->`, `<!-- run: twice -->`, `<!-- run: with a server -->` | shell commands; the next fence is what they print |
/// | `<!-- run: without its output -->` | shell commands whose output the page doesn't show |
///
/// The README is such a page too: its first program is a package, and its commands are run.
enum Tutorial {
    /// The package as it is where a page runs commands, and these commands.
    struct Step: Equatable {
        let page: String
        var files: [String: String]
        var runs: [Run] = []
    }

    /// A target of the package at the end of a step, under a name that no other step uses.
    struct Target {
        /// The name in the tutorial.
        let name: String
        let uniqueName: String
        let isExecutable: Bool
        /// The entry of the manifest.
        let declaration: String
        /// The texts of the files, by their names.
        let sources: [String: String]
    }

    /// Some commands, and what they print.
    struct Run: Equatable {
        /// The page and the line of the first command.
        let place: String
        let commands: String
        /// What the page shows; nil if it shows nothing.
        let output: String?
        var isTwice = false
        var needsServer = false
    }

    /// Reads the steps from the pages, in order; runs the commands that change files.
    ///
    /// A page has several steps if it changes files after it has run commands.
    static func steps(of pages: [(name: String, text: String)]) async throws -> [Step] {
        var steps: [Step] = []
        for page in pages {
            var step = Step(page: page.name, files: steps.last?.files ?? [:])
            let fences = try Fence.all(in: page.text, document: page.name)
            for (index, fence) in fences.enumerated() {
                if fence.changesFiles, !step.runs.isEmpty {
                    steps.append(step)
                    step.runs = []
                }
                switch fence.purpose {
                case .file(let path, let change):
                    step.files[path] = try change.result(of: step.files[path], fence.text, at: fence.place)
                case .edit:
                    step.files = try await edited(step.files, by: fence)
                case .run(let isTwice, let needsServer):
                    guard index + 1 < fences.count, fences[index + 1].language == "text" else {
                        throw DocumentationError("\(fence.place): no fence of text shows what this prints")
                    }
                    step.runs.append(
                        Run(
                            place: fence.place, commands: fence.text, output: fences[index + 1].text,
                            isTwice: isTwice, needsServer: needsServer))
                case .runUnshown:
                    step.runs.append(Run(place: fence.place, commands: fence.text, output: nil))
                case nil: break
                }
            }
            steps.append(step)
        }
        return steps
    }

    /// Runs a fence's commands in a folder that has the files, and returns the files afterwards.
    private static func edited(_ files: [String: String], by fence: Fence) async throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let result = try await Subprocess.run("bash", ["-e", "-c", fence.text], in: folder)
        guard result.status == 0 else { throw DocumentationError("\(fence.place): \(result.output)") }
        return try Dictionary(
            uniqueKeysWithValues: files.keys.map { path in
                (path, try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
            })
    }
}

extension Tutorial.Step {
    /// Returns a target for each folder of sources.
    ///
    /// Targets depend on each other, and on the products of ContextCore, as they import them.
    func targets(numbered number: Int) -> [Tutorial.Target] {
        var folders: [String: [String: String]] = [:]
        for (path, text) in files {
            let parts = path.split(separator: "/").map(String.init)
            if parts.count == 3, parts[0] == "Sources" { folders[parts[1], default: [:]][parts[2]] = text }
        }
        let lines = folders.mapValues { Set($0.values.flatMap { $0.components(separatedBy: "\n") }) }
        return folders.keys.sorted().map { name in
            let imported = { (module: String) in lines[name]?.contains("import \(module)") == true }
            let libraries = folders.keys.sorted().filter(imported)
            let products = DocumentationPackage.modules.filter { $0 != "Foundation" && imported($0) }
            let dependencies =
                libraries.map { "\"\($0)_\(number)\"" }
                + products.map { ".product(name: \"\($0)\", package: \"ContextCore\")" }
            let isExecutable = folders[name]?["main.swift"] != nil
            let kind = isExecutable ? "executableTarget" : "target"
            let list = dependencies.joined(separator: ", ")
            return Tutorial.Target(
                name: name, uniqueName: "\(name)_\(number)", isExecutable: isExecutable,
                declaration: ".\(kind)(name: \"\(name)_\(number)\", dependencies: [\(list)])",
                sources: folders[name, default: [:]].mapValues { text in
                    libraries.reduce(text) { text, library in
                        text.replacing("import \(library)\n", with: "import \(library)_\(number)\n")
                    }
                })
        }
    }
}

extension Tutorial.Run {
    /// Runs the commands with programs that are already built.
    ///
    /// - Parameters:
    ///   - folder: The folder to run them in.
    ///   - programs: The folder of the programs that `swift run` is to run.
    ///   - server: The address of the store on a server.
    ///   - shownFolder: What the page calls the folder.
    /// - Returns: What they printed, to standard output and standard error, as a page shows it: with the page's name of the
    ///   folder, and with wrapped lines.
    func printed(
        in folder: URL, programs: URL, server: String?, shownFolder: String = "/home/ann/Chess"
    ) async throws -> String {
        let script = """
            unset STORECTL_URL STORECTL_STORE STORECTL_CONFIG DATABASE_URL CHESS_URL
            export XDG_CONFIG_HOME="$PWD/no-configuration"
            \(server.map { "export CHESS_URL='\($0)'" } ?? "")
            swift() { [ "$1" = run ] || return 0; local program=$2; shift 2; '\(programs.path)'/"$program" "$@"; }
            storectl() { '\(programs.path)'/storectl "$@"; }
            \(commands)
            """
        let result = try await Subprocess.run("bash", ["-c", script], in: folder)
        return result.output.replacing(folder.path, with: shownFolder)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { Self.wrapped($0, width: 120) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    /// Breaks a line at spaces, and removes spaces at the ends of lines.
    static func wrapped(_ line: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var rest = line
        while rest.count > width, let space = rest.prefix(width + 1).lastIndex(of: " ") {
            lines.append(String(rest[..<space]))
            rest = rest[rest.index(after: space)...]
        }
        lines.append(String(rest))
        return lines.map { $0.replacing(/\s+$/, with: "") }
    }
}

/// A fence of a page, with what the comment above says about it.
private struct Fence {
    enum Purpose {
        case file(path: String, Change)
        case edit
        case run(isTwice: Bool, needsServer: Bool)
        case runUnshown
    }

    /// What a fence does to a file.
    enum Change {
        case whole
        case append
        case insert(above: String)
        case replace(line: String)
    }

    let language: String
    let place: String
    let text: String
    let purpose: Purpose?
    var changesFiles: Bool {
        switch purpose {
        case .file, .edit: true
        case .run, .runUnshown, nil: false
        }
    }

    static func all(in text: String, document: String) throws -> [Fence] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var fences: [Fence] = []
        var purpose: Purpose?
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.hasPrefix("```") {
                let inside = lines[index...].prefix { $0 != "```" }
                fences.append(
                    Fence(
                        language: String(line.dropFirst(3)), place: "\(document):\(index + 1)",
                        text: inside.joined(separator: "\n"), purpose: purpose))
                index += inside.count + 1
                purpose = nil
            } else if line.hasPrefix("<!-- ") {
                purpose = try Self.purpose(of: line, at: "\(document):\(index)")
            } else if !line.isEmpty {
                purpose = nil
            }
        }
        return fences
    }

    /// Reads a comment; nil for one that is about a block of code as ``CodeBlock`` reads it.
    private static func purpose(of line: String, at place: String) throws -> Purpose? {
        let text = line.dropFirst("<!-- ".count).replacing("-->", with: "").trimmingCharacters(
            in: .whitespaces)
        switch text {
        case "edit": return .edit
        case "run": return .run(isTwice: false, needsServer: false)
        case "run: twice": return .run(isTwice: true, needsServer: false)
        case "run: with a server": return .run(isTwice: false, needsServer: true)
        case "run: without its output": return .runUnshown
        default: break
        }
        if text.hasPrefix("compile: ") { return nil }
        let pattern = /file: ([^ ,]+)(?:, (at the end|above: |instead of: )(.*))?/
        guard let file = text.wholeMatch(of: pattern) else {
            throw DocumentationError("\(place): nothing is known about the comment '\(text)'")
        }
        let line = String(file.3 ?? "")
        switch file.2 {
        case "at the end": return .file(path: String(file.1), .append)
        case "above: ": return .file(path: String(file.1), .insert(above: line))
        case "instead of: ": return .file(path: String(file.1), .replace(line: line))
        default: return .file(path: String(file.1), .whole)
        }
    }
}

extension Fence.Change {
    /// Returns the file's text after the change.
    func result(of file: String?, _ text: String, at place: String) throws -> String {
        if case .whole = self { return text + "\n" }
        guard let file else { throw DocumentationError("\(place): there is no such file yet") }
        switch self {
        case .whole: return text + "\n"
        case .append: return file + text + "\n"
        case .insert(let line): return try changed(file, at: line, place) { [text, $0] }
        case .replace(let line): return try changed(file, at: line, place) { _ in [text] }
        }
    }

    /// Replaces the only line that has the text, apart from its indentation.
    private func changed(
        _ file: String, at line: String, _ place: String, _ change: (String) -> [String]
    ) throws -> String {
        var lines = file.components(separatedBy: "\n")
        let found = lines.indices.filter { lines[$0].trimmingCharacters(in: .whitespaces) == line }
        guard found.count == 1 else {
            throw DocumentationError("\(place): \(found.count) lines of the file are '\(line)'")
        }
        lines.replaceSubrange(found[0]...found[0], with: change(lines[found[0]]))
        return lines.joined(separator: "\n")
    }
}
