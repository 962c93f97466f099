public import Foundation

/// The programs that lie beside the tests' own.
public enum ChildProgram {
    /// Where a program is.
    public static func url(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name)
    }

    /// A child that a test kills or crashes has nobody to write a backtrace for, which takes it seconds.
    public static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, ours in ours }
    }
}
