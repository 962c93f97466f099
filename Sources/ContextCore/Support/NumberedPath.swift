import Foundation

/// Names files that stand beside one another.
package enum NumberedPath {
    /// `before-2.sqlite` beside `before.sqlite`.
    package static func path(_ path: String, _ number: Int) -> String {
        if number < 2 { return path }
        let url = URL(fileURLWithPath: path)
        let name = "\(url.deletingPathExtension().lastPathComponent)-\(number)"
        let ending = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        return url.deletingLastPathComponent().appendingPathComponent(name + ending).path
    }
}
