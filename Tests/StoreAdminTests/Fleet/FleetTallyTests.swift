import ContextCore
import Testing

@testable import StoreAdmin

struct FleetTallyTests {
    private let words: FleetTally.Words = [
        .done: "migrated", .skipped: "up to date", .attention: "to be decided",
    ]

    private func tally(
        total: Int, failsOnAttention: Bool = true, _ outcomes: [(TenantResult.Outcome, String)]
    ) -> FleetTally {
        var tally = FleetTally(total: total, failsOnAttention: failsOnAttention)
        for (outcome, tenant) in outcomes { tally.record(outcome, of: tenant) }
        return tally
    }

    @Test func `A summary counts tenants, and lists failed ones`() {
        var tally = tally(total: 2000, [(.failed, "zeta"), (.skipped, "a"), (.failed, "beta")])
        for number in 0..<1997 { tally.record(.done, of: "t\(number)") }
        #expect(tally.text(words) == "1,997 migrated, 1 up to date, 2 failed\nfailed: beta, zeta\n")
        #expect(tally.exit == .differences)
        #expect(tally.notStartedCount == 0)
    }

    @Test func `Tenants that were not started are counted`() {
        let tally = tally(total: 5, [(.done, "a"), (.stopped, "b")])
        #expect(tally.text(words) == "1 migrated, 1 stopped, 3 not started\n")
        #expect(
            tally.json
                == .object([
                    "done": .int(1), "skipped": .int(0), "attention": .int(0), "failed": .int(0),
                    "stopped": .int(1),
                    "left": .int(3),
                ]))
    }

    @Test func `An empty run is summarized too`() {
        #expect(tally(total: 0, []).text(words) == "no tenants\n")
        #expect(tally(total: 0, []).exit == .success)
    }

    @Test func `Attention affects the exit code only if requested`() {
        #expect(tally(total: 1, [(.attention, "a")]).exit == .differences)
        #expect(tally(total: 1, failsOnAttention: false, [(.attention, "a")]).exit == .success)
        #expect(tally(total: 1, failsOnAttention: false, [(.failed, "a")]).exit == .differences)
    }
}
