#if Postgres
import ContextCore

/// The parsed message of a failed attempt to connect.
struct ConnectionFailure {
    /// The SQLSTATE from the server; nil if no server answered, or if libpq itself rejected the server.
    let state: String?
    /// The line of the message that gives the reason.
    let reasonLine: String
    private let asksForPassword: Bool

    /// Parses an error message of libpq.
    ///
    /// - Parameters:
    ///   - text: libpq's message in its verbose format: `…: FATAL:  28P01: password authentication failed for user "app"`. The word
    ///     `FATAL` may be in another language.
    ///   - asksForPassword: Whether the server asked for a password, and none was configured.
    init(_ text: String, asksForPassword: Bool = false) {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        // libpq reports each address that it tried; an address that doesn't answer hides the reason of the one that does.
        let reason = lines.first { Self.state(in: $0) != nil } ?? lines.first(where: Self.mentionsEncryption)
        reasonLine = reason ?? lines.first ?? ""
        state = Self.state(in: reasonLine)
        self.asksForPassword = asksForPassword
    }

    private static func mentionsEncryption(_ line: String) -> Bool {
        line.contains("SSL") || line.contains("certificate")
    }

    /// Whether a line is about the client certificate: the server sends an alert about it, or its file can't be read.
    private static func mentionsClientCertificate(_ line: String) -> Bool {
        if line.contains("root certificate file") { return false }
        return line.contains("alert") || line.contains("certificate file")
            || line.contains("private key file")
    }

    /// Finds an SQLSTATE in a line: five digits and capital letters after a colon and two spaces, followed by a colon.
    private static func state(in line: String) -> String? {
        for part in line.split(separator: ":  ", omittingEmptySubsequences: false).dropFirst() {
            let state = part.prefix(5)
            let isState = state.utf8.count == 5 && state.utf8.allSatisfy(isDigitOrCapital)
            if isState, part.dropFirst(5).hasPrefix(":") { return String(state) }
        }
        return nil
    }

    private static func isDigitOrCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    var error: StoreError {
        if let state { return .postgresError(state: state, detail: reasonLine) }
        if asksForPassword {
            return StoreError(
                .accessDenied, "The database server asks for a password.",
                remedy: "Set the password in the URL, in PGPASSWORD, or in a .pgpass file.",
                detail: reasonLine)
        }
        if Self.mentionsClientCertificate(reasonLine) {
            return StoreError(
                .configuration, "The client certificate was rejected or can't be read.",
                remedy:
                    "Set sslcert to a certificate that the server trusts and sslkey to its key. Renew the certificate if it has expired.",
                detail: reasonLine)
        }
        if reasonLine.contains("certificate"), !reasonLine.contains("does not support SSL") {
            return StoreError(
                .configuration, "The certificate of the database server could not be verified.",
                remedy:
                    "Set sslrootcert to the certificate of the authority that signed it, connect with the host name in the certificate, "
                    + "and renew the certificate if it has expired.",
                detail: reasonLine)
        }
        if Self.mentionsEncryption(reasonLine) {
            return StoreError(
                .configuration, "The database server doesn't support the requested encryption.",
                remedy: "Enable TLS on the server, or choose another value of tls in the URL.",
                detail: reasonLine)
        }
        if reasonLine.contains("read-only") || reasonLine.contains("standby") {
            return StoreError(
                .connectionLost, "No server that fits the requested target can be reached.",
                remedy: "Wait until a standby is promoted, or choose another target in the URL.",
                detail: reasonLine)
        }
        return StoreError(
            .connectionLost, "The database server can't be reached.",
            remedy: "Check the address, and that the server is running.", detail: reasonLine)
    }
}
#endif
