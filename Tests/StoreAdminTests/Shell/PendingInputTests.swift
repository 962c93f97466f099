import Testing

@testable import StoreAdmin

/// Inputs of several lines, and the prompt that shows why an input continues.
struct PendingInputTests {
    /// Returns the complete inputs of some lines, and the continuation after the last line.
    private func read(_ lines: String...) -> (inputs: [String], continuation: InputScan.Continuation?) {
        var pending = PendingInput()
        let inputs = lines.compactMap { pending.append($0) }
        return (inputs, pending.continuation)
    }

    @Test(arguments: [
        "Player", "", "Player where name == \"(\"", "Player where name == 'it\\'s'",
        "Player where (score > 3)",
        "Player where score > 3)", "\\sql SELECT '(', \"(\" -- (", "\\sql SELECT 'it''s' /* ( */",
        "\\o it's (1).txt", "\\c sqlite:a(b", "\\", "\\nonsense (",
    ])
    func `A complete line is an input`(line: String) {
        let (inputs, continuation) = read(line)
        #expect(inputs == [line])
        #expect(continuation == nil)
    }

    @Test(arguments: [
        ("Player where (", InputScan.Continuation.bracket), ("Player where name in {\"a\",", .bracket),
        ("Player where name == \"a", .quote("\"")), ("Player where name == 'a\\'", .quote("'")),
        ("Player where \\", .backslash), ("\\count Player where (", .bracket),
        ("\\sql SELECT (", .bracket), ("\\sql SELECT 'it''s", .quote("'")), ("\\sql SELECT /* a", .comment),
        ("\\sql SELECT 1 \\", .backslash),
    ])
    func `A line with an open construct continues`(line: String, expected: InputScan.Continuation) {
        let (inputs, continuation) = read(line)
        #expect(inputs == [])
        #expect(continuation == expected)
    }

    @Test func `Lines are joined by line feeds, without the backslash at their ends`() {
        let request = read("Player where (", "score > 3", ")", "Game")
        #expect(request.inputs == ["Player where (\nscore > 3\n)", "Game"])
        #expect(read("Player \\", "where score > 3").inputs == ["Player \nwhere score > 3"])
        #expect(read("Player where name == \"a\\", "b\"").inputs == ["Player where name == \"a\nb\""])
        #expect(read("Player where name == \"a\\").continuation == .quote("\""))
        #expect(read("\\sql SELECT 1 -- (", "\\sql SELECT 2").inputs.count == 2)
    }

    @Test func `An empty line ends an input, and the end of the lines too`() {
        let ended = read("Player where name == \"a", "  ", "Game")
        #expect(ended.inputs == ["Player where name == \"a", "Game"])
        var pending = PendingInput()
        #expect(pending.append("Player where (") == nil)
        #expect(pending.text(before: "sc") == "Player where (\nsc")
        #expect(pending.remove() == "Player where (")
        #expect(pending.remove() == nil)
        #expect(pending.text(before: "Pl") == "Pl")
    }

    @Test func `The prompt shows the store and why the input continues`() {
        var prompt = ShellPrompt(name: "games")
        #expect(prompt.text() == "games=> ")
        #expect(prompt.text(.bracket) == "games(> ")
        #expect(prompt.text(.quote("'")) == "games'> ")
        #expect(prompt.text(.comment) == "games*> ")
        #expect(prompt.text(.backslash) == "games-> ")
        prompt.isProduction = true
        #expect(prompt.text() == "games [production]=> ")
        prompt.isReadOnly = true
        #expect(prompt.text() == "games [production, read-only]=> ")
    }

    @Test func `The colors of the prompt are marked for the editor`() {
        var prompt = ShellPrompt(name: "games")
        prompt.isProduction = true
        let colored = prompt.text(nil, TextStyle(hasColor: true))
        #expect(colored == "games [\u{1B}[31mproduction\u{1B}[0m]=> ")
        #expect(
            ShellPrompt.markingEscapes(in: colored)
                == "games [\u{1}\u{1B}[31m\u{1}production\u{1}\u{1B}[0m\u{1}]=> ")
        #expect(ShellPrompt.markingEscapes(in: "member=> ") == "member=> ")
    }
}
