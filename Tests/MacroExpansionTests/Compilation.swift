import ChildProcesses
import Foundation

/// The compiler's output for a program that imports ContextCore and uses the macros of this build.
struct Compilation {
    /// The errors and warnings as `line:column: error: message`, in the order of their positions; those in an expansion begin with
    /// `expansion:`.
    let reports: [String]

    init(of source: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "macros-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Program.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let output = try Self.compile(file)
        reports = output.split(separator: "\n").compactMap { line in
            if line.hasPrefix(file.path + ":") { return Self.report(line.dropFirst(file.path.count + 1)) }
            guard let mark = line.firstRange(of: "@__swiftmacro"),
                let place = line[mark.upperBound...].firstIndex(of: ":")
            else { return nil }
            return Self.report("expansion" + line[place...])
        }
    }

    private static func compile(_ file: URL) throws -> String {
        let products = ChildProgram.folder.path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-parse-as-library", "-module-name", "Program", "-swift-version", "6",
            "-diagnostic-style", "llvm",
            "-enable-upcoming-feature", "MemberImportVisibility", "-I", "\(products)/Modules",
            "-load-plugin-executable", "\(products)/ContextMacros-tool#ContextMacros", file.path,
        ]
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns a report without the name of the macro, which the compiler appends; nil for notes.
    private static func report(_ line: Substring) -> String? {
        guard line.contains(": error: ") || line.contains(": warning: ") else { return nil }
        return String(line.components(separatedBy: " (from macro ")[0])
    }
}
