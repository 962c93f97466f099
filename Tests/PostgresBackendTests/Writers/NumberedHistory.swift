#if Postgres
import RandomSeeds

@testable import PostgresBackend

/// A model of a server that numbers transactions while they commit: plain values, in the schedule of a seed.
///
/// Writers change a few rows, each of which counts its versions. A transaction changes a row that no other transaction is changing, in the
/// version that it has read; then it gets a number, writes its history record, and commits or fails. Programs read the history where they
/// begin something, and keep it up to date.
struct NumberedHistory {
    /// The contents of a history record: a row and its new version.
    struct Change: Hashable {
        let row: Int
        let version: Int
    }

    /// The changes that a follower has read, and its position.
    struct Follower {
        /// Whether it resumes after the last visible number.
        let isNaive: Bool
        let program: Int
        var last: Int64 = 0
        var read: [Change] = []
    }

    private struct Writer {
        enum Step { case begin, change, number, line, end }

        let program: Int
        var saves: Int
        var step = Step.begin
        var row = 0
        var version = 0
        var number: Int64 = 0
    }

    private struct Line {
        /// The change; nil for an empty record.
        var change: Change?
        var isVisible: Bool
    }

    private static let programs = 4
    private static let rows = 6

    private var random: SeededRandom
    private var now = ContinuousClock.now
    private var lines: [Int64: Line] = [:]
    private var lastNumber: Int64 = 0
    private var versions = Array(repeating: 0, count: rows)
    /// The writers that are changing rows.
    private var holders: [Int?] = Array(repeating: nil, count: rows)
    private var writers: [Writer]
    private var upkeeps = Array(repeating: HistoryGapFilling(), count: programs)
    private(set) var followers: [Follower]
    private(set) var committed: [Change] = []
    /// The number of numbers without a transaction.
    private(set) var lostNumbers = 0

    init(seed: UInt64, writers: Int, saves: Int, followers: Int) {
        random = SeededRandom(seed: seed)
        self.writers = (0..<writers).map { Writer(program: $0 % Self.programs, saves: saves) }
        self.followers =
            (0..<followers).map { Follower(isNaive: false, program: $0 % Self.programs) }
            + [Follower(isNaive: true, program: 0)]
    }

    /// Runs until all writers have saved, and the followers have read the whole history.
    mutating func run() {
        while writers.contains(where: { $0.saves > 0 }) {
            now = now.advanced(by: .microseconds(Int.random(in: 0...4000, using: &random)))
            if Int.random(in: 0..<4, using: &random) == 0 {
                follow(Int.random(in: followers.indices, using: &random))
            } else {
                write(Int.random(in: writers.indices, using: &random))
            }
        }
        for _ in 0..<lines.count where followers.contains(where: { $0.last < lastNumber }) {
            now = now.advanced(by: .milliseconds(500))
            for place in followers.indices { follow(place) }
        }
    }

    // MARK: Following

    /// Reads the history as the clock does, for a program.
    private mutating func look(after base: Int64, _ program: Int) -> HistoryEnd {
        let visible = lines.filter { $0.value.isVisible && $0.key > base }.keys.sorted()
        var end = base
        for number in visible where number == end + 1 { end = number }
        let clock = HistoryEnd(
            end: end, unsettled: visible.filter { $0 > end }, base: base, transaction: nil)
        upkeeps[program].update(with: clock, at: now)
        return clock
    }

    private mutating func follow(_ place: Int) {
        let program = followers[place].program
        if case .fill(let numbers) = upkeeps[program].next(at: now) { fill(numbers) }
        let clock = look(after: followers[place].last, program)
        let end = followers[place].isNaive ? clock.newest : clock.end
        let read = lines.filter { followers[place].last < $0.key && $0.key <= end && $0.value.isVisible }
        followers[place].read += read.sorted { $0.key < $1.key }.compactMap(\.value.change)
        followers[place].last = end
    }

    /// Fills gaps with empty records, or gives up, as a server does after a timeout, if one of the records is being written.
    private mutating func fill(_ numbers: ClosedRange<Int64>) {
        if numbers.contains(where: { lines[$0]?.isVisible == false }) { return }
        for number in numbers where lines[number] == nil { lines[number] = Line(isVisible: true) }
    }

    // MARK: Writing

    private mutating func write(_ place: Int) {
        var writer = writers[place]
        defer { writers[place] = writer }
        guard writer.saves > 0 else { return }
        switch writer.step {
        case .begin:
            writer.row = Int.random(in: 0..<Self.rows, using: &random)
            writer.version = versions[writer.row]
            _ = look(after: max(0, lastNumber - 50), writer.program)
            writer.step = .change
        case .change:
            guard holders[writer.row] == nil else { return }
            guard versions[writer.row] == writer.version else {
                writer.step = .begin
                return
            }
            holders[writer.row] = place
            writer.step = .number
        case .number:
            // After a restart of the server, the sequence skips numbers.
            let jump: Int64 = Int.random(in: 0..<100, using: &random) == 0 ? 32 : 1
            lostNumbers += Int(jump - 1)
            lastNumber += jump
            writer.number = lastNumber
            writer.step = .line
        case .line:
            // The number may have been filled by an empty record.
            guard lines[writer.number] == nil else {
                writer.step = .number
                return
            }
            let change = Change(row: writer.row, version: writer.version + 1)
            lines[writer.number] = Line(change: change, isVisible: false)
            writer.step = .end
        case .end:
            if Int.random(in: 0..<3, using: &random) > 0 { return }
            holders[writer.row] = nil
            writer.step = .begin
            if Int.random(in: 0..<20, using: &random) == 0 {
                lines[writer.number] = nil
                lostNumbers += 1
                return
            }
            lines[writer.number]?.isVisible = true
            versions[writer.row] += 1
            committed.append(Change(row: writer.row, version: writer.version + 1))
            writer.saves -= 1
        }
    }
}
#endif
