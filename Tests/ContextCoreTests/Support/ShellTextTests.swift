import Testing

@testable import ContextCore

struct ShellTextTests {
    @Test(arguments: [
        ("/data/games.sqlite", "/data/games.sqlite"), ("my games.sqlite", "'my games.sqlite'"),
        ("it's", "'it'\\''s'"), ("", "''"), ("a&b", "'a&b'"), ("~/a", "'~/a'"), ("über", "'über'"),
        ("postgres://localhost/a?schema=b", "'postgres://localhost/a?schema=b'"),
    ])
    func `A word of a command is quoted if the shell would change it`(word: String, expected: String) {
        #expect(word.shellQuoted == expected)
    }
}
