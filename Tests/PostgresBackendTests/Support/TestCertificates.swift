#if Postgres
import Foundation
import Testing

/// Certificates for one test, made by `openssl`: two authorities, and servers and clients with certificates of these.
final class TestCertificates {
    /// Whether `openssl` is installed.
    static let canBeMade = (try? run(["version"])) != nil

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for authority in ["known", "unknown"] {
            try openssl(
                ["req", "-x509"] + Self.newKey
                    + [
                        "-keyout", path("\(authority).key"), "-out", path("\(authority).crt"), "-subj",
                        "/CN=\(authority) authority", "-days", "2",
                    ])
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Creates a key and a certificate, `name.key` and `name.crt`.
    ///
    /// - Parameters:
    ///   - subject: The name of the server or role.
    ///   - days: The validity in days; 0 for an expired certificate.
    func make(_ name: String, for subject: String, by authority: String = "known", days: Int = 2) throws {
        try openssl(
            ["req"] + Self.newKey
                + [
                    "-keyout", path("\(name).key"), "-out", path("\(name).csr"), "-subj", "/CN=\(subject)",
                    "-addext", "subjectAltName=DNS:\(subject)",
                ])
        try openssl([
            "x509", "-req", "-in", path("\(name).csr"), "-CA", path("\(authority).crt"), "-CAkey",
            path("\(authority).key"), "-CAcreateserial", "-days", "\(days)", "-out", path("\(name).crt"),
            "-copy_extensions", "copy",
        ])
    }

    private func openssl(_ arguments: [String]) throws { try Self.run(arguments) }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }
}
#endif
