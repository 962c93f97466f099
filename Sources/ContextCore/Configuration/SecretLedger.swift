/// The secrets that a program has read, which are redacted in its output.
///
/// `secrets` is guarded by its mutex.
package final class SecretLedger: Sendable {
    private let secrets = Guarded<Set<String>>([])

    package init() {}

    /// Registers a secret, so that ``scrubbed(_:)`` redacts it.
    package func register(_ secret: String) {
        if secret.isEmpty { return }
        let forms = Self.forms(of: secret)
        secrets.withLock { $0.formUnion(forms) }
    }

    /// Registers all passwords of an address.
    package func register(secretsOf url: StoreURL) {
        for secret in url.secrets { register(secret) }
    }

    /// Returns the text with each secret replaced by `***`.
    package func redacted(_ text: String) -> String {
        // Replaces longer secrets first, because a secret may contain another.
        let known = secrets.withLock { $0 }.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        return known.reduce(text) { $0.replacing($1, with: "***") }
    }

    /// Returns a secret unchanged, and encoded for URLs, JSON and connection strings.
    private static func forms(of secret: String) -> Set<String> {
        let json = JSONValue.string(secret).text
        var encoded = ""
        for byte in secret.utf8 {
            let isPlain = unreserved.contains(byte)
            encoded += isPlain ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }
        let escaped = secret.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return [secret, String(json.dropFirst().dropLast()), encoded, encoded.lowercased(), escaped]
    }

    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
