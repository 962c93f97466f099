/// Lays out a state as lines that are as wide as the terminal.
///
/// The result depends only on the state and the size.
struct Screen {
    /// The style of a piece of a line.
    enum Style: Equatable { case plain, bar, faint, alert }

    /// A piece of a line.
    struct Span: Equatable {
        var text: String
        var style = Style.plain
    }

    /// The minimum size of a terminal that the layout fits into.
    static let minimumSize = (width: 40, height: 10)
    /// The number of lines outside the lists.
    private static let frame = 7

    let state: ScreenState
    let width: Int
    let height: Int

    /// The number of list lines that fit into a terminal of a height.
    static func listHeight(_ height: Int) -> Int { max(0, height - frame) }

    /// The lines from top to bottom.
    var lines: [[Span]] {
        guard width >= Self.minimumSize.width, height >= Self.minimumSize.height else { return tooSmall }
        return [title, numbers, waits, pulse, heads] + lists + [notice, keys]
    }

    private var tooSmall: [[Span]] {
        (0..<max(0, height)).map { line in
            [
                Span(
                    text: Text.fit(
                        line == 0 ? "Games needs \(Self.minimumSize.width)×\(Self.minimumSize.height)" : "",
                        width))
            ]
        }
    }

    // MARK: The top

    private var title: [Span] {
        let what = state.isPlaying ? "playing" : "stopped"
        let how = "\(state.discipline) · \(state.threads) at once · \(what) "
        return [Span(text: Text.spread(" Games · \(state.store)", how, width), style: .bar)]
    }

    private var numbers: [Span] {
        let counts = state.counts
        return columns([
            "operations \(Text.formatted(counts.operations))",
            "saves/s \(Text.formatted(state.savesPerSecond))",
            "queue \(state.queueLength)",
            "failed \(counts.failures + counts.inconsistentReads)",
        ])
    }

    private var waits: [Span] {
        columns([
            "wait p50 \(Text.formatted(state.waits.median))",
            "p99 \(Text.formatted(state.waits.percentile99))",
            "rounds \(Text.formatted(state.counts.rounds))", "memory \(ResidentMemory.text(state.memory))",
        ])
    }

    /// Texts in columns of equal width; the first columns get the remaining cells.
    private func columns(_ texts: [String]) -> [Span] {
        let (each, rest) = (width / texts.count, width % texts.count)
        return [
            Span(
                text: texts.enumerated().map { index, text in
                    let cells = each + (index < rest ? 1 : 0)
                    return " " + Text.fit(text, cells - 1)
                }.joined())
        ]
    }

    private var pulse: [Span] {
        [Span(text: " " + Text.sparkline(state.pulse, width - 2) + " ", style: .faint)]
    }

    // MARK: The lists

    /// The width of the left list; the right list gets the rest, minus a separator.
    private var leftWidth: Int { (width - 1) / 2 }

    private var heads: [Span] {
        [
            head(state.games, leftWidth, isFocus: state.focus == .games), Span(text: "│", style: .faint),
            head(state.players, width - 1 - leftWidth, isFocus: state.focus == .players),
        ]
    }

    private func head(_ list: ScreenState.List, _ cells: Int, isFocus: Bool) -> Span {
        let shown = list.lines.isEmpty ? "none" : "\(list.first + 1)–\(list.first + list.lines.count)"
        return Span(
            text: Text.spread(" " + list.title, "\(shown) of \(list.total) ", cells),
            style: isFocus ? .bar : .faint)
    }

    private var lists: [[Span]] {
        (0..<Self.listHeight(height)).map { row in
            [
                line(state.games, row, leftWidth, isFocus: state.focus == .games),
                Span(text: "│", style: .faint),
                line(state.players, row, width - 1 - leftWidth, isFocus: state.focus == .players),
            ]
        }
    }

    private func line(_ list: ScreenState.List, _ row: Int, _ cells: Int, isFocus: Bool) -> Span {
        guard row < list.lines.count else { return Span(text: Text.fit("", cells)) }
        let line = list.lines[row]
        let isChosen = list.first + row == list.selected
        return Span(
            text: Text.spread((isChosen ? " ▸ " : "   ") + line.name, line.number + " ", cells),
            style: isChosen && isFocus ? .bar : .plain)
    }

    // MARK: The bottom

    private var notice: [Span] {
        let failure = state.counts.failures > 0 ? "failed: \(state.counts.lastFailure)" : ""
        let text = [state.notice, failure, state.complaints.last ?? ""].first { !$0.isEmpty } ?? ""
        return [Span(text: Text.fit(" " + text, width), style: text.isEmpty ? .plain : .alert)]
    }

    private var keys: [Span] {
        let keys = "space play/stop  ↑↓ choose  ↵← lists  d discipline  b store  +- threads  q quit"
        return [Span(text: Text.fit(" " + keys, width), style: .bar)]
    }
}
