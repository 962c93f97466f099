import Foundation

/// The resident memory of the process.
enum ResidentMemory {
    /// The resident memory in bytes; nil if the system doesn't report it.
    static var now: Int? {
        // The second number counts resident pages: proc(5), /proc/pid/statm.
        guard let file = FileHandle(forReadingAtPath: "/proc/self/statm"),
            let data = try? file.readToEnd()
        else { return nil }
        let numbers = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Formats a size as megabytes.
    static func text(_ bytes: Int?) -> String { bytes.map { "\($0 / 1_048_576) MB" } ?? "–" }
}
