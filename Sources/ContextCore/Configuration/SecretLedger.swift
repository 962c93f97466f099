/// Knows the secrets that a program has met, and takes them out of what it says.
///
/// State: the secrets, guarded by a mutex.
package final class SecretLedger: Sendable {
    private let secrets = Guarded<Set<String>>([])

    package init() {}

    /// Notes a secret; from now on no text that is scrubbed shows it.
    package func note(_ secret: String) {
        if secret.isEmpty { return }
        let forms = Self.forms(of: secret)
        secrets.withLock { $0.formUnion(forms) }
    }

    /// Notes every password in an address.
    package func note(secretsOf url: StoreURL) {
        for secret in url.secrets { note(secret) }
    }

    /// The text with `***` in the place of every secret.
    package func scrubbed(_ text: String) -> String {
        // The longest first, so that nothing is left of one that contains another.
        let known = secrets.withLock { $0 }.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        return known.reduce(text) { $0.replacing($1, with: "***") }
    }

    /// The secret as it is, and as URLs, JSON and addresses in keywords write it.
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
