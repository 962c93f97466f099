import ContextCore
import Testing

@testable import StoreAdmin

/// The line of `migrate status` that draws the state of the migration.
struct MigrationStateTests {
    private func run(
        _ steps: [(MigrationPhase, MigrationStep.Force)], done: Int, through last: MigrationPhase = .contract,
        isShared: Bool = false
    ) -> MigrationState.Run {
        MigrationState.Run(
            transition: "V1-V2", fingerprint: "", fileText: "", origin: "", losses: [], added: [],
            isShared: isShared, isAutomatic: false, lastPhase: last,
            steps: steps.map { MigrationStep($0.0, "A step.", .statements([]), force: $0.1) }, done: done)
    }

    @Test func `A store without an unfinished migration is done or pending`() {
        #expect(MigrationStateLine(nil, isPending: false).text == "pending → [done]")
        #expect(MigrationStateLine(nil, isPending: true).text == "[pending] → done")
    }

    @Test func `The phase of the next step is in brackets`() {
        let steps: [(MigrationPhase, MigrationStep.Force)] = [
            (.expand, .none), (.backfill, .unchanged), (.backfill, .unchanged), (.contract, .newer),
        ]
        let lines = (0..<4).map { MigrationStateLine(run(steps, done: $0), isPending: true).text }
        #expect(
            lines == [
                "pending → [expand] → backfill → contract → done",
                "pending → expand → [backfill] → contract → done",
                "pending → expand → [backfill] → contract → done",
                "pending → expand → backfill → [contract] → done",
            ])
    }

    @Test func `A migration waits where programs of both versions can use the store`() {
        let steps: [(MigrationPhase, MigrationStep.Force)] = [
            (.expand, .both), (.validate, .unchanged), (.contract, .newer),
        ]
        func line(_ done: Int, _ last: MigrationPhase, isShared: Bool) -> String {
            MigrationStateLine(run(steps, done: done, through: last, isShared: isShared), isPending: true)
                .text
        }
        #expect(
            line(0, .validate, isShared: false) == "pending → [expand] → validate → waiting → contract → done"
        )
        #expect(
            line(1, .validate, isShared: true) == "pending → expand → [validate] → waiting → contract → done")
        #expect(
            line(1, .expand, isShared: true) == "pending → expand → [waiting] → validate → contract → done")
        #expect(
            line(2, .validate, isShared: true) == "pending → expand → validate → [waiting] → contract → done")
        #expect(
            line(2, .contract, isShared: true) == "pending → expand → validate → waiting → [contract] → done")
    }

    @Test(arguments: TestPlace.available)
    func `The status draws the state from the first version to the next`(place: TestPlace) throws {
        let bench = try AdminBench()
        try bench.makeProject(place)
        func state() -> String {
            let lines = bench.run("migrate", "status").output.split(separator: "\n")
            return lines.first { $0.hasPrefix("state    ") }.map { String($0.dropFirst(9)) } ?? ""
        }
        #expect(state() == "[pending] → done")
        #expect(bench.run("migrate", "apply").exit == .success)
        #expect(state().contains(" → [waiting] → contract → done"), "\(state())")
        #expect(
            bench.run("migrate", "rollback", "--accept-loss", "Sample.more", "--backup", "none").exit
                == .success)
        #expect(state() == "[pending] → done")
        #expect(bench.run("migrate", "apply", "--phase", "contract").exit == .success)
        #expect(state() == "pending → [done]")
    }
}
