public import Foundation

/// The executables in the folder of the test program.
public enum ChildProgram {
    /// Returns the URL of an executable.
    public static func url(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name)
    }

    /// The environment of a child, which disables backtraces: a child that a test kills would take seconds to write one.
    public static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, ours in ours }
    }
}
