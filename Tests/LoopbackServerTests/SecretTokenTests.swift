import Testing

@testable import LoopbackServer

struct SecretTokenTests {
    @Test func `A token has 32 random bytes`() {
        let tokens = (0..<200).map { _ in SecretToken().text }
        #expect(Set(tokens).count == tokens.count)
        for token in tokens {
            #expect(token.utf8.count == 64)
            #expect(token.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        }
        // Each of the 16 digits stands at each of the 64 places of some token: a fixed digit would be seen at once.
        for place in 0..<64 {
            let digits = Set(tokens.map { Array($0.utf8)[place] })
            #expect(digits.count > 8, "\(place)")
        }
    }

    @Test func `Only the token itself matches`() {
        let token = SecretToken()
        #expect(token.matches(token.text))
        let text = Array(token.text)
        for place in text.indices {
            var guess = text
            guess[place] = guess[place] == "0" ? "1" : "0"
            #expect(!token.matches(String(guess)))
        }
        let others = [
            "", token.text + "0", String(token.text.dropLast()), token.text.uppercased() + "A", "\0",
        ]
        for guess in others { #expect(!token.matches(guess)) }
        #expect(!token.matches(String(repeating: token.text, count: 1000)))
    }
}
