#if Postgres
import ContextCore

/// What libpq says where it could not connect, taken apart.
struct ConnectionRefusal {
    /// The state that the server gave; nil where no server has answered, or libpq itself refused the server.
    let state: String?
    /// The line that says why.
    let words: String
    private let asksForPassword: Bool

    /// - Parameters:
    ///   - text: libpq's words at its most verbose: `…: FATAL:  28P01: password authentication failed for user "app"`. The word
    ///     `FATAL` may be in another language.
    ///   - asksForPassword: Whether the server wanted a password, and there was none.
    init(_ text: String, asksForPassword: Bool = false) {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        // Of several addresses one may not answer at all, and say nothing of why the other was refused.
        let telling = lines.first { Self.state(in: $0) != nil } ?? lines.first(where: Self.isOfEncryption)
        words = telling ?? lines.first ?? ""
        state = Self.state(in: words)
        self.asksForPassword = asksForPassword
    }

    private static func isOfEncryption(_ line: String) -> Bool {
        line.contains("SSL") || line.contains("certificate")
    }

    /// Whether it is the program's certificate: the server sends an alert about it, or its file can't be read.
    private static func isOfOwnCertificate(_ line: String) -> Bool {
        if line.contains("root certificate file") { return false }
        return line.contains("alert") || line.contains("certificate file")
            || line.contains("private key file")
    }

    /// Five letters and digits between two spaces and a colon.
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
        if let state { return .postgres(state: state, detail: words) }
        if asksForPassword {
            return StoreError(
                .accessDenied, "The database server asks for a password.",
                remedy: "Give one in the URL, in PGPASSWORD, or in a .pgpass file.", detail: words)
        }
        if Self.isOfOwnCertificate(words) {
            return StoreError(
                .configuration, "The client's certificate is refused, or can't be read.",
                remedy:
                    "Name a certificate that the server trusts by sslcert, and its key by sslkey; renew it where it has expired.",
                detail: words)
        }
        if words.contains("certificate"), !words.contains("does not support SSL") {
            return StoreError(
                .configuration, "The certificate of the database server can't be trusted.",
                remedy:
                    "Name the authority that has signed it by sslrootcert, connect by the name that it is made out to, and renew it where it has "
                    + "expired.",
                detail: words)
        }
        if Self.isOfEncryption(words) {
            return StoreError(
                .configuration, "The database server doesn't offer the encryption that is demanded.",
                remedy:
                    "Give the server a certificate that the program trusts, or choose another tls in the URL.",
                detail: words)
        }
        if words.contains("read-only") || words.contains("standby") {
            return StoreError(
                .connectionLost, "No server of the kind that is demanded can be reached.",
                remedy: "Wait until a standby was promoted, or choose another target in the URL.",
                detail: words)
        }
        return StoreError(
            .connectionLost, "The database server can't be reached.",
            remedy: "Check the address, and whether the server runs.", detail: words)
    }
}
#endif
