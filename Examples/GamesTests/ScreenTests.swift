import Testing

@testable import Games

/// The layout of the screen, keys and arguments.
struct ScreenTests {
    private static func state(_ text: String, lines: Int) -> ScreenState {
        var state = ScreenState()
        (state.store, state.discipline, state.notice) = (text, "exclusive", text)
        (state.threads, state.isPlaying) = (64, true)
        state.counts.operations = 1_234_567_890
        state.counts.failures = 3
        state.counts.lastFailure = text + "\n" + text
        state.pulse = (0..<700).map { $0 % 100 }
        state.memory = 123_456_789_012
        let all = (0..<lines).map { ScreenState.Line(name: "\(text) \($0)", number: "\($0 * 1_000_000)") }
        state.games = .init(title: text, lines: all, first: 7, total: 1000, selected: 8)
        state.players = .init(title: text, lines: all, first: 0, total: lines, selected: 0)
        return state
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 10), (41, 11), (120, 3), (5, 5), (1, 1)])
    func `Every line is as wide as the terminal, and there are as many`(_ width: Int, _ height: Int) {
        for text in ["", "Go", "日本語のゲーム", "a\u{1B}[31mb\tc", String(repeating: "long ", count: 60)] {
            for lines in [0, 1, 100] {
                let screen = Screen(
                    state: Self.state(text, lines: min(lines, Screen.listHeight(height))), width: width,
                    height: height)
                #expect(screen.lines.count == height)
                for line in screen.lines {
                    let shown = line.map(\.text).joined()
                    #expect(Text.width(shown) == width, "\(width)×\(height): \(shown)")
                    #expect(!shown.unicodeScalars.contains { $0.value < 32 })
                }
            }
        }
    }

    @Test func `Text that fits is shown completely`() {
        var state = Self.state("Go", lines: 3)
        state.counts.failures = 0
        state.notice = ""
        let lines = Screen(state: state, width: 80, height: 24).lines.map { $0.map(\.text).joined() }
        #expect(lines[0].contains("Games · Go") && lines[0].contains("exclusive · 64 at once · playing"))
        #expect(lines[1].contains("operations 1234 M "))
        #expect(lines.last?.hasSuffix(" q quit") == true)
        #expect(lines[4].contains("8–10 of 1000") && lines[4].contains("1–3 of 3"))
        #expect(lines[6].hasPrefix(" ▸ Go 1"))
        #expect(lines[22] == String(repeating: " ", count: 80))
    }

    @Test func `Bars are scaled to the highest value, and every value above zero is visible`() {
        #expect(Text.sparkline([0, 1, 50, 100], 6) == "   ▁▄█")
        #expect(Text.sparkline([], 3) == "   ")
        #expect(Text.sparkline(Array(repeating: 5, count: 10), 3) == "███")
    }

    @Test func `Keys are decoded from the bytes of a terminal`() {
        let bytes = "\u{1B}[A\u{1B}OB\u{1B}[1;5Cq \r+x-\u{1B}".utf8
        #expect(Key.keys(bytes) == [.up, .down, .right, .quit, .space, .enter, .more, .fewer, .left])
        #expect(Key.keys([3]) == [.quit])
    }

    @Test func `Arguments are parsed, and invalid ones throw`() throws {
        let arguments = try Arguments(["memory:", "--seconds", "3", "--threads", "2", "--exclusive"])
        #expect(arguments.isReport && arguments.seconds == 3 && arguments.address == "memory:")
        #expect(throws: Arguments.UsageError.self) { try Arguments(["--seconds"]) }
        #expect(throws: Arguments.UsageError.self) { try Arguments(["--what"]) }
        #expect(throws: Arguments.UsageError.self) { try Arguments(["a:", "b:"]) }
    }

    @Test func `Passwords are not on the screen`() {
        let settings = Settings(addresses: ["postgres://app:secret@db/games?password=x"])
        #expect(settings.name == "postgres://…@db/games")
    }
}
