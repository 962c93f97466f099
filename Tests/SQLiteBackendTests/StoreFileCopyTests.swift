#if SQLite
import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Concurrent copies of a store's file.
struct StoreFileCopyTests {
    private let store: TemporaryStore
    private let path: String

    init() throws {
        store = try TemporaryStore()
        path = store.folder.appendingPathComponent("copy.sqlite").path
    }

    private func copy() throws {
        let configuration = SQLiteConfiguration(path: store.path)
        try StoreFileCopy(of: StoreFile(store.path), configuration).write(to: path)
    }

    private var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: store.folder.path).filter {
                $0.hasPrefix("copy")
            }.sorted()
        }
    }

    @Test func `Files of a copy in progress are not touched`() throws {
        let unfinished = path + ".unfinished"
        let other = open(unfinished, O_RDWR | O_CREAT, 0o600)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        #expect(Foundation.write(other, "half", 4) == 4)
        expectError(.busy) { try copy() }
        #expect(try names == ["copy.sqlite.unfinished"])
        #expect(try String(contentsOfFile: unfinished, encoding: .utf8) == "half")
        // No process uses it any more.
        close(other)
        try copy()
        #expect(try names == ["copy.sqlite"])
    }

    @Test func `The finished copy of a killed process is not deleted as a leftover`() throws {
        try copy()
        let archive = store.folder.appendingPathComponent("copy-archive.sqlite").path
        #expect(link(path, path + ".unfinished") == 0)
        #expect(rename(path, archive) == 0)
        let whole = try Data(contentsOf: URL(filePath: archive))
        try copy()
        #expect(try Data(contentsOf: URL(filePath: archive)) == whole)
        #expect(try names == ["copy-archive.sqlite", "copy.sqlite"])
    }

    @Test func `Of concurrent copies to one path, one is made completely`() async throws {
        let (source, target) = (store.path, path)
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    try await onThread {
                        do {
                            let configuration = SQLiteConfiguration(path: source)
                            try StoreFileCopy(of: StoreFile(source), configuration).write(to: target)
                            return true
                        } catch let error as StoreError {
                            #expect([.busy, .inputOutput].contains(error.code), "\(error)")
                            return false
                        }
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        #expect(try names == ["copy.sqlite"])
        try SQLiteCoordinator(model: store.model, SQLiteConfiguration(path: target)).close()
    }
}
#endif
