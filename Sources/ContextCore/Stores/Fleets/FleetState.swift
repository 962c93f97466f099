/// A store that a fleet opens for a tenant.
///
/// Contexts retain its core, which may outlive the member.
protocol FleetMember: AnyObject, Sendable {
    associatedtype Core: AnyObject & Sendable
    var core: Core { get }
    /// Creates a member with the core of an earlier one.
    init(around core: Core)
    /// Whether the member accepts no more operations; running ones may not have ended.
    static func isClosing(_ core: Core) -> Bool
    /// Whether all operations of a closing member have ended, and its resources are released.
    static func isClosed(_ core: Core) -> Bool
}

/// A cache of a fleet's open stores by tenant, which retains the most recently requested ones.
///
/// It is a value without locks and clocks: its owner passes in events and times, opens and closes stores, and guards the state by a lock.
struct FleetState<Member: FleetMember>: Sendable {
    enum Response: Sendable {
        case open(Member)
        case opening(Task<Member, any Error>)
        case closed
    }

    private enum Entry {
        case opening(Task<Member, any Error>)
        case open(OpenMember)
    }

    private struct OpenMember {
        /// The member; nil once the fleet has evicted it.
        var retained: Member?
        weak var member: Member?
        weak var core: Member.Core?
        var lastRequest: ContinuousClock.Instant
        let canBeEvicted: Bool
    }

    private let limit: Int
    private let idleLimit: Duration
    private var entries: [String: Entry] = [:]
    private var retainedCount = 0
    /// References that the owner releases after unlocking, because the last reference to a member closes its store.
    private var released: [any AnyObject & Sendable] = []
    private var isSweeping = false
    private var isClosed = false

    init(limit: Int, idleLimit: Duration) {
        self.limit = limit
        self.idleLimit = idleLimit
    }

    /// Removes and returns the references that the owner must release after unlocking.
    mutating func removeReleasedReferences() -> [any AnyObject & Sendable] {
        defer { released = [] }
        return released
    }

    /// Returns the names of the tenants whose members are open, sorted.
    mutating func openTenants() -> [String] {
        var tenants: [String] = []
        for case (let tenant, .open(let member)) in entries where openCore(of: member) != nil {
            tenants.append(tenant)
        }
        return tenants.sortedByBytes { $0 }
    }

    /// Returns the open member of a tenant, even if it is evicted but still in use, or the task that opens it.
    ///
    /// - Parameters:
    ///   - tenant: The name of the tenant.
    ///   - now: The current time.
    ///   - open: Starts to open a member, after the operations of a core that is closing have ended.
    mutating func request(
        _ tenant: String, at now: ContinuousClock.Instant, open: (Member.Core?) -> Task<Member, any Error>
    ) -> Response {
        if isClosed { return .closed }
        var closing: Member.Core?
        switch entries[tenant] {
        case .opening(let task): return .opening(task)
        case .open(var known):
            guard let core = openCore(of: known) else {
                closing = closingCore(of: known)
                remove(tenant, known)
                break
            }
            let member = known.member ?? Member(around: core)
            released.append(member)
            known.member = member
            known.lastRequest = now
            retain(member, tenant, &known)
            return .open(member)
        case nil: break
        }
        let task = open(closing)
        entries[tenant] = .opening(task)
        return .opening(task)
    }

    /// Returns the core of a member; nil if it is released, closing or closed.
    private mutating func openCore(of member: OpenMember) -> Member.Core? {
        guard let core = member.core else { return nil }
        released.append(core)
        return Member.isClosing(core) ? nil : core
    }

    /// Returns the core of a member whose operations may not have ended; nil if it is open, released or closed.
    private mutating func closingCore(of member: OpenMember) -> Member.Core? {
        guard let core = member.core else { return nil }
        released.append(core)
        return Member.isClosing(core) && !Member.isClosed(core) ? core : nil
    }

    /// Records that a member could not be opened, so that the next request tries again.
    mutating func failOpening(_ tenant: String) { entries[tenant] = nil }

    /// Records that a member was opened.
    ///
    /// - Returns: Whether the owner must start to call ``sweep(at:)``.
    mutating func finishOpening(
        _ tenant: String, _ opened: Member, canBeEvicted: Bool, at now: ContinuousClock.Instant
    ) -> Bool {
        // ``close()`` has returned the task that opened this member, and the owner closes its store.
        if isClosed { return false }
        var member = OpenMember(
            member: opened, core: opened.core, lastRequest: now, canBeEvicted: canBeEvicted)
        retain(opened, tenant, &member)
        defer { isSweeping = isSweeping || canBeEvicted }
        return canBeEvicted && !isSweeping
    }

    // MARK: Retaining and evicting

    private mutating func retain(_ member: Member, _ tenant: String, _ known: inout OpenMember) {
        if known.retained == nil { retainedCount += 1 }
        known.retained = member
        entries[tenant] = .open(known)
        while retainedCount > limit, evictOldest() {}
    }

    /// Evicts the member with the oldest last request; returns false if none can be evicted.
    private mutating func evictOldest() -> Bool {
        var oldest: (tenant: String, member: OpenMember)?
        for case (let tenant, .open(let member)) in entries
        where member.retained != nil && member.canBeEvicted {
            if oldest.map({ member.lastRequest < $0.member.lastRequest }) ?? true {
                oldest = (tenant, member)
            }
        }
        guard let oldest else { return false }
        evict(oldest.tenant, oldest.member)
        return true
    }

    /// Releases a member; clients may still use it.
    private mutating func evict(_ tenant: String, _ known: OpenMember) {
        var known = known
        if let retained = known.retained {
            released.append(retained)
            retainedCount -= 1
        }
        known.retained = nil
        entries[tenant] = .open(known)
    }

    private mutating func remove(_ tenant: String, _ known: OpenMember) {
        evict(tenant, known)
        entries[tenant] = nil
    }

    /// Evicts idle and closing members, and removes those that are released or closed.
    ///
    /// - Returns: Whether it must be called again.
    mutating func sweep(at now: ContinuousClock.Instant) -> Bool {
        for case (let tenant, .open(let member)) in entries {
            if closingCore(of: member) != nil {
                evict(tenant, member)
            } else if openCore(of: member) == nil {
                remove(tenant, member)
            } else if member.retained != nil, member.canBeEvicted, now - member.lastRequest >= idleLimit {
                evict(tenant, member)
            }
        }
        isSweeping = !isClosed && !entries.isEmpty
        return isSweeping
    }

    /// Closes the fleet, and returns the members to close, now or once they are open.
    mutating func close() -> (members: [Member], opening: [Task<Member, any Error>]) {
        isClosed = true
        defer { entries = [:] }
        var (members, opening): ([Member], [Task<Member, any Error>]) = ([], [])
        for entry in entries.values {
            switch entry {
            case .opening(let task): opening.append(task)
            case .open(let member):
                if let core = openCore(of: member) ?? closingCore(of: member) {
                    members.append(member.member ?? Member(around: core))
                }
            }
        }
        return (members, opening)
    }
}
