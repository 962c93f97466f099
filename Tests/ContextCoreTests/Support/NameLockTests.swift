import ContextCore
import Foundation
import Testing

/// Locks by name in a folder.
struct NameLockTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent(
        "name-\(UUID().uuidString)"
    ).path

    @Test func `Only another process's lock is reported as one`() throws {
        defer { unlink(path) }
        let first = try AdvisoryFileLock.acquire(path)
        let alreadyLocked = #expect(throws: AdvisoryFileLock.Failure.self) {
            try AdvisoryFileLock.acquire(path)
        }
        guard case .alreadyLocked = alreadyLocked else {
            Issue.record("\(String(describing: alreadyLocked))")
            return
        }
        close(first)
        let failure = #expect(throws: AdvisoryFileLock.Failure.self) {
            try AdvisoryFileLock.acquire(path) { _, _ in
                errno = ENOLCK
                return -1
            }
        }
        guard case .system(let words) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(words == String(cString: strerror(ENOLCK)))
    }

    @Test func `A signal doesn't interrupt the wait`() throws {
        defer { unlink(path) }
        var signals = 2
        let descriptor = try AdvisoryFileLock.acquire(path) { descriptor, operation in
            signals -= 1
            if signals < 0 { return flock(descriptor, operation) }
            errno = EINTR
            return -1
        }
        #expect(signals == -1)
        close(descriptor)
    }

    @Test func `A name whose file was replaced is locked on the new file`() throws {
        defer { unlink(path) }
        var isGone = false
        let descriptor = try AdvisoryFileLock.acquire(path) { [path] descriptor, operation in
            if !isGone { unlink(path) }
            isGone = true
            return flock(descriptor, operation)
        }
        #expect(FileManager.default.fileExists(atPath: path))
        close(descriptor)
    }
}
