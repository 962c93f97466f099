import CBaseline
import Foundation

/// Measures the peak growth of the process's memory since the initializer.
///
/// The growth is 0 on systems other than Linux.
struct PeakMemory {
    private let start: Int

    /// Returns freed memory to the system, and resets the peak.
    init() {
        baseline_trim()
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        start = Self.kilobytes("VmRSS", of: "self")
    }

    /// The difference in megabytes between the memory at the start and the peak since.
    var growth: Double { Double(max(0, Self.kilobytes("VmHWM", of: "self") - start)) / 1024 }

    /// Returns the peak memory of a process so far, in megabytes.
    static func peak(of process: Int32) -> Double { Double(kilobytes("VmHWM", of: "\(process)")) / 1024 }

    private static func kilobytes(_ name: String, of process: String) -> Int {
        guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/status"),
            let data = try? file.readToEnd()
        else {
            return 0
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
    }
}
