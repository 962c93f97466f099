import ChildProcesses
import Foundation
import Testing

@testable import StoreAdmin

/// A shell that completes command lines with the script that `storectl` prints, by calling `storectl` itself.
enum CompletingShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The path of the shell; nil if it isn't installed.
    var path: String? {
        ["/usr/bin/\(rawValue)", "/bin/\(rawValue)"].first(where: FileManager.default.isExecutableFile)
    }

    var isInstalled: Bool { path != nil }

    /// Runs a script with the shell, in a folder, and returns what it prints.
    ///
    /// - Parameters:
    ///   - options: The options of the shell, before the path of the script.
    ///   - bench: The folder and the environment of the script; `storectl` is found in its path.
    func run(_ script: String, options: [String] = [], in bench: AdminBench) throws -> [String] {
        let file = try bench.write(script, to: "complete.\(rawValue)")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = options + [file]
        process.currentDirectoryURL = URL(fileURLWithPath: bench.folder)
        let programs = ChildProgram.url("storectl").deletingLastPathComponent().path
        process.environment = ChildProgram.environment.merging(bench.variables) { _, ours in ours }
            .merging(["PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { _, ours in ours }
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the completions of a command line with the cursor at its end.
    ///
    /// - Parameters:
    ///   - line: The words of the line, as the user types them.
    ///   - pieces: The words as bash splits them, which differ if they contain a colon or an equals sign.
    func completions(of line: [String], pieces: [String]? = nil, in bench: AdminBench) throws -> [String] {
        let script = bench.run("completion", rawValue).output
        let quoted = { (words: [String]) in words.map(\.shellQuotedAlways).joined(separator: " ") }
        let text = line.joined(separator: " ")
        switch self {
        case .bash:
            let words = pieces ?? line
            return try run(
                script + """
                    COMP_LINE=\(text.shellQuotedAlways) COMP_POINT=\(text.count)
                    COMP_WORDS=(\(quoted(words)))
                    COMP_CWORD=\(words.count - 1)
                    compopt() { :; }
                    _storectl \(quoted([words[0]]))
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """, in: bench)
        case .zsh:
            // The functions of the completion system exist only while a user completes a line.
            return try run(
                """
                compdef() { :; }
                compset() { PREFIX=${PREFIX#*=}; }
                _describe() { print -l -- "${(P@)4}"; }
                _files() { print -l -- $PREFIX*(N); }
                \(script)
                words=(\(quoted(line))) CURRENT=\(line.count) PREFIX=\(quoted([line[line.count - 1]]))
                _storectl || true
                """, options: ["-f"], in: bench
            ).map { $0.split(separator: ":", maxSplits: 1).first.map(String.init) ?? "" }
        case .fish:
            return try run(
                script + "complete -C \(quoted([text]))\n", options: ["--no-config"], in: bench
            ).map { $0.split(separator: "\t").first.map(String.init) ?? "" }
        }
    }
}

extension String {
    /// The text as one word of any of the shells.
    fileprivate var shellQuotedAlways: String { "'" + replacing("'", with: "'\\''") + "'" }
}
