import ContextCore
import Foundation

/// Formats numbers for people.
enum Quantity {
    /// Returns a number with its digits in groups of three: `1,234,567`.
    static func count(_ number: Int) -> String { number.groupedDigits }

    /// Returns a size in the largest unit in which it is at least 1: `12 MiB`.
    static func bytes(_ number: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
        var size = Double(number)
        var unit = 0
        while size >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        return unit == 0
            ? "\(number) B" : String(format: size < 10 ? "%.1f %@" : "%.0f %@", size, units[unit])
    }

    /// Returns a duration in whole milliseconds.
    static func milliseconds(_ duration: Duration) -> Int {
        Int(duration.components.seconds) * 1000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
    }

    /// Returns a duration in seconds with one decimal: `0.4 s`.
    static func seconds(_ duration: Duration) -> String { String(format: "%.1f s", duration / .seconds(1)) }

    /// Returns a duration in at most two units: `41 s`, `3 min 20 s`, `2 h 5 min`.
    static func time(_ duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded())
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(count(seconds / 3600)) h \(seconds % 3600 / 60) min"
    }

    /// Returns a number with a noun in the singular or the plural: `1 entity`, `3 entities`.
    static func text(_ number: Int, _ one: String, _ many: String) -> String {
        number.counted(one, many)
    }

    /// Returns a bar whose length is proportional to a part of a whole.
    static func bar(_ part: Int64, of whole: Int64, width: Int = 20) -> String {
        guard whole > 0, part > 0 else { return "" }
        let eighths = max(1, Int((Double(part) / Double(whole) * Double(width * 8)).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
