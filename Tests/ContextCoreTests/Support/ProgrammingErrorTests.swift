import Foundation
import Testing

@testable import ContextCore

struct ProgrammingErrorTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardizedFileURL

    @Test func `A programming error prints its message in a release build`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "release-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let main = folder.appending(path: "main.swift")
        try """
        let count = CommandLine.arguments.count
        requirePrecondition(count > 0, "This holds.")
        requirePrecondition(count > 1, "There is no row \\(count) among 3.")
        """.write(to: main, atomically: true, encoding: .utf8)
        let program = folder.appending(path: "program")
        let helper = Self.sources.appending(path: "ContextCore/Support/ProgrammingError.swift")
        let compiler = try Self.run(
            "/usr/bin/env",
            ["swiftc", "-O", "-package-name", "release", helper.path, main.path, "-o", program.path])
        try #require(compiler.status == 0, "\(compiler.errors)")
        let trapped = try Self.run(program.path, [])
        #expect(trapped.status != 0 && trapped.errors.contains("Fatal error: There is no row 1 among 3."))
        #expect(try Self.run(program.path, ["more"]).status == 0)
    }

    /// `precondition` has no message in a release build.
    @Test func `No source uses precondition`() throws {
        let files = try #require(
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        let mute = /\b(precondition|preconditionFailure|fatalError)\(/
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            // Code from macros never runs after a reported mistake.
            if file.path.contains("MacroExpansion") || file.lastPathComponent == "ProgrammingError.swift" {
                continue
            }
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.firstMatch(of: mute) == nil, "\(file.lastPathComponent)")
        }
        #expect(count > 100)
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardError = pipe
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
            $1
        }
        try process.run()
        let errors = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
    }
}
