public import Foundation

/// The executables in the folder of the test program.
public enum ChildProgram {
    /// Returns the URL of an executable.
    public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The folder of the test program, with the products of its build and their modules.
    public static var folder: URL {
        #if canImport(Darwin)
        // A tool of SwiftPM loads the tests as the library Tests.xctest/Contents/MacOS/Tests in this folder.
        var image = Dl_info()
        let path = dladdr(#dsohandle, &image) == 0 ? nil : image.dli_fname.map { String(cString: $0) }
        return (0..<4).reduce(URL(filePath: path ?? "").resolvingSymlinksInPath()) { url, _ in
            url.deletingLastPathComponent()
        }
        #else
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
    }

    /// The environment of a child, without the store that the caller's shell may select.
    ///
    /// It disables backtraces: a child that a test kills would take seconds to write one.
    public static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no", "STORECTL_URL": "", "STORECTL_STORE": "",
        ]) { _, ours in ours }
    }
}
