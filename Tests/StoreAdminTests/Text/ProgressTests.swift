import ContextCore
import Synchronization
import Testing

@testable import StoreAdmin

/// Progress messages of long operations, with a clock that the test advances.
struct ProgressTests {
    /// A clock, and the messages.
    private final class Witness: Sendable {
        private let state = Mutex((now: ContinuousClock.now, said: ""))

        var said: String { state.withLock { $0.said } }
        func pass(_ seconds: Double) { state.withLock { $0.now += .seconds(seconds) } }

        func output(width: Int? = nil) -> Output {
            Output(
                data: { _ in }, message: { text in self.state.withLock { $0.said += text } },
                messageStyle: TextStyle(width: width))
        }

        func progress(width: Int? = nil) -> ProgressLine {
            ProgressLine(output(width: width)) { self.state.withLock { $0.now } }
        }
    }

    private let witness = Witness()

    @Test func `A log has a line every ten seconds, and one at the end`() {
        let progress = witness.progress()
        for number in 1...24 {
            witness.pass(1)
            progress.report("exporting Player", number * 1000, of: 25_000)
        }
        progress.finish()
        #expect(
            witness.said == """
                exporting Player: 10,000 of 25,000, 1,000 a second, 15 s left
                exporting Player: 20,000 of 25,000, 1,000 a second, 5 s left
                exporting Player: 24,000 done in 24 s

                """)
        progress.report("exporting Player", 1)
        #expect(witness.said.count { $0 == "\n" } == 3)
    }

    @Test func `A terminal has one line, which is overwritten and never wraps`() {
        let progress = witness.progress(width: 30)
        for number in 1...3 {
            witness.pass(1)
            progress.report("copying", number * 100)
        }
        progress.finish()
        let lines = witness.said.split(separator: "\r").map(String.init)
        #expect(lines.prefix(2) == ["copying: 100, 100 a second", "copying: 200, 100 a second"])
        #expect(lines.last == "copying: 300 done in 3 s  \n")
        #expect(lines.allSatisfy { $0.count < 30 })
    }

    @Test func `Short work has no progress`() {
        let progress = witness.progress(width: 80)
        for part in ["a", "b", "c"] {
            witness.pass(0.5)
            progress.report(part, 1, of: 1)
        }
        progress.finish()
        #expect(witness.said == "")
    }

    @Test func `Each part has its own time`() {
        let progress = witness.progress(width: 80)
        witness.pass(2)
        progress.report("a", 20)
        witness.pass(1)
        progress.report("b", 5)
        progress.finish()
        #expect(
            witness.said == "\ra: 20, 10 a second\ra: 20 done in 2 s \n\rb: 5, 5 a second\rb: 5 done in 1 s\n"
        )
    }

    @Test func `A step of a migration is printed once, with the progress of its rows`() {
        let telling = MigrationProgressPrinter(witness.output())
        let step = { (number: Int, rows: Int) in
            telling.report(
                MigrationProgress(
                    transition: "V1-V2", step: number, steps: 2, sentence: "Does \(number).", rows: rows))
        }
        step(1, 0)
        for batch in 0..<50 { step(2, batch * 1000) }
        telling.finish()
        #expect(witness.said == "V1-V2, step 1 of 2: Does 1.\nV1-V2, step 2 of 2: Does 2.\n")
    }

    @Test func `Durations are printed in natural units`() {
        #expect(
            [0.4, 41, 119, 200, 7500].map { Quantity.time(.seconds($0)) }
                == ["0 s", "41 s", "119 s", "3 min 20 s", "2 h 5 min"])
    }
}
