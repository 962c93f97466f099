#if SQLite
import Foundation

/// The files of `/proc`.
enum ProcessFile {
    /// Reads a file, although its size is reported as zero; nil if there is none or it can't be read.
    static func text(_ path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        return (try? handle.readToEnd()).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } }
    }
}
#endif
