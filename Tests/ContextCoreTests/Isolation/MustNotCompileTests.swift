import ChildProcesses
import Foundation
import Testing

/// Law 1: objects can't leave their contexts, which the compiler enforces.
struct MustNotCompileTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../MustNotCompile"
    ).standardized

    @Test(.timeLimit(.minutes(20))) func `No program that takes an object out of its context compiles`()
        async throws
    {
        let programs = try sources("Programs")
        #expect(programs.count >= 12)
        for (program, output) in try await compile(programs) {
            let firstLine = try String(contentsOf: program, encoding: .utf8).prefix { $0 != "\n" }
            let expected = try #require(firstLine.split(separator: "// expected: ").first)
            let errors = output.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(errors.contains { $0.contains(expected) }, "\(program.lastPathComponent): \(errors)")
        }
    }

    @Test(.timeLimit(.minutes(20))) func `Programs that keep objects in their context compile`() async throws
    {
        let controls = try sources("Controls")
        #expect(controls.count >= 3)
        for (control, output) in try await compile(controls) {
            #expect(!output.contains("error: ") && !output.contains("warning: "), "\(control): \(output)")
        }
    }

    private func sources(_ name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: name), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }

    /// Compiles programs, two at a time, and returns the compiler's output for each.
    private func compile(_ programs: [URL]) async throws -> [(URL, String)] {
        let compiler = try SwiftCompiler()
        let shared = folder.appending(path: "Game.swift")
        return try await withThrowingTaskGroup { group in
            for half in 0..<2 {
                group.addTask {
                    try await onThread {
                        try programs.enumerated().filter { $0.offset % 2 == half }.map { _, program in
                            (program, try compiler.emitSIL([shared, program]))
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// The compiler of the toolchain that built the tests, with their modules.
private struct SwiftCompiler {
    private let executable: URL
    private let modules: URL

    init() throws {
        modules = ChildProgram.folder.appending(path: "Modules")
        try #require(FileManager.default.fileExists(atPath: modules.path))
        executable = try #require(Self.runningToolchain())
    }

    /// Finds the compiler next to the standard library that this process has loaded.
    private static func runningToolchain() -> URL? {
        #if os(Linux)
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        let lines = String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n")
        let library = lines.first { $0.hasSuffix("/libswiftCore.so") }
        let path = library?.split(separator: " ").last.map(String.init)?.replacing(
            "/lib/swift/linux/libswiftCore.so", with: "/bin/swiftc")
        return path.map { URL(filePath: $0) }
        #else
        URL(filePath: "/usr/bin/swiftc")
        #endif
    }

    /// Compiles files to SIL, which includes the isolation checks, and returns the compiler's output.
    func emitSIL(_ files: [URL]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments =
            [
                "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
                "-module-name", "Program", "-I", modules.path,
            ] + files.map(\.path)
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
