import Testing

@testable import ContextCore

/// The open stores of a fleet, depending on the times of requests.
struct FleetStateTests {
    private final class Core: Sendable {
        let isClosing = Guarded(false)
        let isClosed = Guarded(false)
    }

    private final class Member: FleetMember {
        let core: Core
        init(around core: Core) { self.core = core }
        convenience init() { self.init(around: Core()) }
        static func isClosing(_ core: Core) -> Bool { core.isClosing.withLock { $0 } }
        static func isClosed(_ core: Core) -> Bool { core.isClosed.withLock { $0 } }
    }

    private let start = ContinuousClock.now

    /// Opens a member as a fleet does, in one call.
    private func open(
        _ tenant: String, _ state: inout FleetState<Member>, after seconds: Int, canBeEvicted: Bool = true
    ) -> (member: Member, mustSweep: Bool) {
        let member = Member()
        let now = start + .seconds(seconds)
        // The task must not retain the member.
        let answer = state.request(tenant, at: now) { _ in Task { Member() } }
        guard case .opening = answer else {
            Issue.record("\(tenant) is open already")
            return (member, false)
        }
        return (member, state.finishOpening(tenant, member, canBeEvicted: canBeEvicted, at: now))
    }

    private func cached(_ tenant: String, _ state: inout FleetState<Member>, after seconds: Int) -> Member? {
        let answer = state.request(tenant, at: start + .seconds(seconds)) { _ in Task { Member() } }
        if case .open(let member) = answer { return member }
        return nil
    }

    private func expectSweep(_ state: inout FleetState<Member>, after seconds: Int, continues: Bool) {
        let answer = state.sweep(at: start + .seconds(seconds))
        #expect(answer == continues)
    }

    private func expectOpen(_ state: inout FleetState<Member>, _ tenants: [String]) {
        let open = state.openTenants()
        #expect(open == tenants)
        _ = state.removeReleasedReferences()
    }

    @Test func `The least recently requested store is evicted first`() {
        var state = FleetState<Member>(limit: 2, idleLimit: .seconds(100))
        let a = open("a", &state, after: 0).member
        let b = open("b", &state, after: 1).member
        let again2 = cached("a", &state, after: 2)
        #expect(again2 === a)
        let c = open("c", &state, after: 3).member
        // The program still references it, so the fleet finds it, and keeps it open instead of another one.
        let again4 = cached("b", &state, after: 4)
        #expect(again4 === b)
        withExtendedLifetime((a, c)) {}
    }

    @Test func `A store without references is closed when it is evicted`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
        _ = open("a", &state, after: 0)
        _ = open("b", &state, after: 1)
        _ = state.removeReleasedReferences()
        expectOpen(&state, ["b"])
    }

    @Test func `A closed store is opened again`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
        let a = open("a", &state, after: 0).member
        a.core.isClosing.withLock { $0 = true }
        a.core.isClosed.withLock { $0 = true }
        let again = open("a", &state, after: 1).member
        let known = cached("a", &state, after: 2)
        #expect(known === again)
    }

    @Test func `A closing store is opened again after it is closed, whether or not it was swept`() {
        for isSwept in [false, true] {
            var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
            let a = open("a", &state, after: 0).member
            a.core.isClosing.withLock { $0 = true }
            if isSwept { expectSweep(&state, after: 1, continues: true) }
            expectOpen(&state, [])
            var awaited: Core?
            _ = state.request("a", at: start + .seconds(2)) { closing in
                awaited = closing
                return Task { Member() }
            }
            #expect(awaited === a.core)
        }
    }

    @Test func `A closed store is not awaited, and a sweep removes it`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
        let a = open("a", &state, after: 0).member
        a.core.isClosing.withLock { $0 = true }
        a.core.isClosed.withLock { $0 = true }
        expectSweep(&state, after: 1, continues: false)
        _ = state.request("a", at: start + .seconds(2)) { closing in
            #expect(closing == nil)
            return Task { Member() }
        }
    }

    @Test func `Closing the fleet also ends the stores that are closing already`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
        let a = open("a", &state, after: 0).member
        a.core.isClosing.withLock { $0 = true }
        let (members, _) = state.close()
        #expect(members.map(ObjectIdentifier.init) == [ObjectIdentifier(a)])
    }

    @Test func `A store that contexts retain is not opened twice`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(100))
        let core = open("a", &state, after: 0).member.core
        _ = open("b", &state, after: 1)
        _ = state.removeReleasedReferences()
        let again = cached("a", &state, after: 2)
        #expect(again?.core === core)
    }

    @Test func `Only the first opened store starts the sweeping`() {
        var state = FleetState<Member>(limit: 9, idleLimit: .seconds(10))
        let begins = [
            open("kept", &state, after: 0, canBeEvicted: false), open("a", &state, after: 0),
            open("b", &state, after: 0),
        ].map(\.mustSweep)
        #expect(begins == [false, true, false])
    }

    @Test func `Stores are closed after the idle time, and sweeping ends with the last one`() {
        var state = FleetState<Member>(limit: 9, idleLimit: .seconds(10))
        _ = open("a", &state, after: 0)
        _ = open("b", &state, after: 5)
        expectSweep(&state, after: 9, continues: true)
        expectOpen(&state, ["a", "b"])
        expectSweep(&state, after: 10, continues: true)
        _ = state.removeReleasedReferences()
        expectOpen(&state, ["b"])
        expectSweep(&state, after: 15, continues: true)
        _ = state.removeReleasedReferences()
        expectSweep(&state, after: 16, continues: false)
        // A later request has to open it again.
        let later = open("c", &state, after: 20)
        #expect(later.mustSweep)
    }

    @Test func `Stores that can't be evicted stay open, whatever the limits`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(1))
        for tenant in ["a", "b", "c"] { _ = open(tenant, &state, after: 0, canBeEvicted: false) }
        expectSweep(&state, after: 100, continues: true)
        expectOpen(&state, ["a", "b", "c"])
    }

    @Test func `A store that failed to open is opened again`() {
        var state = FleetState<Member>(limit: 1, idleLimit: .seconds(1))
        _ = state.request("a", at: start) { _ in Task { Member() } }
        state.failOpening("a")
        expectOpen(&state, [])
        let later = open("a", &state, after: 1)
        #expect(later.mustSweep)
    }

    @Test func `A closed fleet returns no stores`() {
        var state = FleetState<Member>(limit: 3, idleLimit: .seconds(1))
        let a = open("a", &state, after: 0).member
        _ = state.request("b", at: start) { _ in Task { Member() } }
        let (members, opening) = state.close()
        #expect(members.map(ObjectIdentifier.init) == [ObjectIdentifier(a)])
        #expect(opening.count == 1)
        if case .closed = state.request("a", at: start, open: { _ in Task { Member() } }) {
        } else {
            Issue.record("The fleet is closed.")
        }
        let begins = state.finishOpening("b", Member(), canBeEvicted: true, at: start)
        #expect(!begins)
        expectOpen(&state, [])
    }
}
