import Foundation

/// Makes numbered file names.
package enum NumberedPath {
    /// Inserts a number before the path extension, as in `before-2.sqlite`; numbers below 2 leave the path as it is.
    package static func path(_ path: String, _ number: Int) -> String {
        if number < 2 { return path }
        let url = URL(fileURLWithPath: path)
        let name = "\(url.deletingPathExtension().lastPathComponent)-\(number)"
        let ending = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        return url.deletingLastPathComponent().appendingPathComponent(name + ending).path
    }
}
