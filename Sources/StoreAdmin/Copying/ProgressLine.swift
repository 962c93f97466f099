import ContextCore
import Dispatch

/// Prints the progress of work that takes longer than a second to standard error.
///
/// On a terminal it rewrites one line every second; otherwise it prints a line every ten seconds. When a part of the work is done and its
/// progress was printed, it also prints the total and the duration.
///
/// State: the progress, guarded by a mutex.
final class ProgressLine: Sendable {
    private struct State {
        /// The name of the current part of the work.
        var part = ""
        /// The start of the current part.
        var start: ContinuousClock.Instant
        /// The time at which a line was last printed or the part started.
        var lastPrint: ContinuousClock.Instant
        /// The time at which progress was last reported.
        var lastReport: ContinuousClock.Instant
        var done: Int?
        var wasPrinted = false
        /// The number of characters on the terminal's line.
        var shown = 0
        var isFinished = false
    }

    private let output: Output
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Guarded<State>

    init(_ output: Output, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.output = output
        self.now = now
        let start = now()
        state = Guarded(State(start: start, lastPrint: start, lastReport: start))
    }

    deinit { finish() }

    private var isTerminal: Bool { output.messageStyle.width != nil }
    private var printInterval: Duration { isTerminal ? .seconds(1) : .seconds(10) }

    /// Reports the progress of a part of the work.
    ///
    /// - Parameters:
    ///   - part: The name of the part.
    ///   - done: The number of items that are done; nil if it is unknown.
    ///   - all: The number of all items; nil if it is unknown.
    func report(_ part: String, _ done: Int? = nil, of all: Int? = nil) {
        state.withLock { state in
            if state.isFinished { return }
            if state.part != part { beginPart(part, &state) }
            let now = now()
            state.lastReport = now
            state.done = done
            guard now - state.lastPrint >= printInterval else { return }
            state.lastPrint = now
            state.wasPrinted = true
            print(Self.sentence(state, of: all), &state)
        }
    }

    /// Starts a part of the work, whose duration counts from this call.
    func start(_ part: String) {
        state.withLock { state in
            endPart(&state)
            state.lastReport = now()
            beginPart(part, &state)
        }
    }

    /// Ends the work; nothing is printed afterward.
    func finish() {
        state.withLock { state in
            endPart(&state)
            state.isFinished = true
        }
    }

    private func beginPart(_ part: String, _ state: inout State) {
        endPart(&state)
        state.part = part
        // The first report of a part comes after some of its work, so the part is assumed to have started at the report before that.
        (state.start, state.lastPrint) = (state.lastReport, state.lastReport)
        (state.done, state.wasPrinted) = (nil, false)
    }

    private func endPart(_ state: inout State) {
        guard state.wasPrinted else { return }
        state.wasPrinted = false
        let count = state.done.map { ": \(Quantity.count($0))" } ?? ":"
        print("\(state.part)\(count) done in \(Quantity.time(state.lastReport - state.start))", &state)
        if isTerminal, !output.isQuiet { output.message("\n") }
        state.shown = 0
    }

    private static func sentence(_ state: State, of all: Int?) -> String {
        let time = state.lastReport - state.start
        guard let done = state.done else { return "\(state.part): \(Quantity.time(time)) so far" }
        let seconds = max(time / .seconds(1), 0.001)
        let rate = Double(done) / seconds
        var text = "\(state.part): \(Quantity.count(done))"
        if let all { text += " of \(Quantity.count(all))" }
        text += ", \(Quantity.count(Int(rate))) a second"
        if let all, rate >= 1, all > done {
            text += ", \(Quantity.time(.seconds(Double(all - done) / rate))) left"
        }
        return text
    }

    /// Prints a line; on a terminal it replaces the previous one.
    private func print(_ text: String, _ state: inout State) {
        guard isTerminal else { return output.info(text) }
        if output.isQuiet { return }
        // A carriage return can't return to the start of a line that has wrapped.
        let line = String(text.prefix(max(1, (output.messageStyle.width ?? 80) - 1)))
        let rest = String(repeating: " ", count: max(0, state.shown - line.count))
        output.message("\r" + line + rest)
        state.shown = line.count
    }
}

extension ProgressLine {
    /// Runs work whose progress is unknown, and prints its duration so far.
    static func run<Value>(
        _ what: String, _ output: Output, _ work: () throws -> Value
    ) rethrows -> Value {
        let progress = ProgressLine(output)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { progress.report(what) }
        timer.resume()
        defer {
            timer.cancel()
            progress.finish()
        }
        return try work()
    }
}
