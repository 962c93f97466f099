/// 32 random bytes that only the program and its user's browser know, as 64 hexadecimal digits.
package struct SecretToken: Sendable {
    package let text: String

    /// Creates a token of the system's cryptographic random numbers.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<32).map { _ in
            let digits = String(UInt8.random(in: 0...255, using: &generator), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Whether a text is the token.
    ///
    /// The time that it takes doesn't depend on how many characters are right, so a client can't guess them one by one.
    package func matches(_ guess: String) -> Bool {
        let own = Array(text.utf8)
        let other = Array(guess.utf8.prefix(own.count + 1))
        var difference = own.count ^ other.count
        for index in own.indices {
            difference |= Int(own[index] ^ (index < other.count ? other[index] : 0))
        }
        return difference == 0
    }
}
