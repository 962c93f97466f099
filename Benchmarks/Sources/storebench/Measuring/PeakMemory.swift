import CBaseline
import Foundation

/// Tells by how much the process grew at most since a moment.
///
/// Linux only: elsewhere it tells 0.
struct PeakMemory {
    private let start: Int

    /// Gives back what was freed, and forgets the peak so far.
    init() {
        baseline_trim()
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        start = Self.kilobytes("VmRSS", of: "self")
    }

    /// Megabytes between the start and the peak since.
    var growth: Double { Double(max(0, Self.kilobytes("VmHWM", of: "self") - start)) / 1024 }

    /// The most megabytes that a process had so far.
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
