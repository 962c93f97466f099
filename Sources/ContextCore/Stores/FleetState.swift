/// What a fleet opens for each tenant: a store.
///
/// What contexts keep alive of it, its core, may live longer than the store itself.
protocol FleetMember: AnyObject, Sendable {
    associatedtype Core: AnyObject & Sendable
    var core: Core { get }
    /// Makes a member around what is alive of an earlier one.
    init(around core: Core)
    static func isClosed(_ core: Core) -> Bool
}

/// Which stores a fleet holds open: those that were requested last, each by its tenant.
///
/// It is told what happens and when, and neither opens nor closes anything. Its owner guards it by a lock.
struct FleetState<Member: FleetMember>: Sendable {
    enum Answer: Sendable {
        case open(Member)
        case opening(Task<Member, any Error>)
        case closed
    }

    private enum Entry {
        case opening(Task<Member, any Error>)
        case open(OpenMember)
    }

    private struct OpenMember {
        /// The member as long as the fleet holds it; nil where only others still may.
        var held: Member?
        weak var member: Member?
        weak var core: Member.Core?
        var lastRequest: ContinuousClock.Instant
        let canBeEvicted: Bool
    }

    private let limit: Int
    private let idleLimit: Duration
    private var entries: [String: Entry] = [:]
    private var heldCount = 0
    /// What the owner has to release without the lock: the last reference to a member may be among it.
    private var released: [any AnyObject & Sendable] = []
    private var isSweeping = false
    private var isClosed = false

    init(limit: Int, idleLimit: Duration) {
        self.limit = limit
        self.idleLimit = idleLimit
    }

    /// Returns what the fleet holds no more, for its owner to release without the lock.
    mutating func takeReleasedReferences() -> [any AnyObject & Sendable] {
        defer { released = [] }
        return released
    }

    /// The tenants whose members are open, sorted by their names.
    mutating func openTenants() -> [String] {
        var tenants: [String] = []
        for case (let tenant, .open(let member)) in entries where openCore(of: member) != nil {
            tenants.append(tenant)
        }
        return tenants.sortedByBytes { $0 }
    }

    /// Returns the member of a tenant: the one that is open, also where only others hold it, or one that is being opened.
    ///
    /// - Parameter open: Begins to open a member.
    mutating func request(
        _ tenant: String, at now: ContinuousClock.Instant, open: () -> Task<Member, any Error>
    ) -> Answer {
        if isClosed { return .closed }
        switch entries[tenant] {
        case .opening(let task): return .opening(task)
        case .open(var known):
            guard let core = openCore(of: known) else {
                remove(tenant, known)
                break
            }
            let member = known.member ?? Member(around: core)
            released.append(member)
            known.member = member
            known.lastRequest = now
            hold(member, tenant, &known)
            return .open(member)
        case nil: break
        }
        let task = open()
        entries[tenant] = .opening(task)
        return .opening(task)
    }

    /// What is alive and open of a member; nil where it is gone, or was closed.
    private mutating func openCore(of member: OpenMember) -> Member.Core? {
        guard let core = member.core else { return nil }
        released.append(core)
        return Member.isClosed(core) ? nil : core
    }

    /// Notes that a member could not be opened: the next request opens it.
    mutating func failOpening(_ tenant: String) { entries[tenant] = nil }

    /// Notes that a member was opened.
    ///
    /// - Returns: Whether the owner has to begin to call ``sweep(at:)``.
    mutating func finishOpening(
        _ tenant: String, _ opened: Member, canBeEvicted: Bool, at now: ContinuousClock.Instant
    ) -> Bool {
        // The end of the fleet closes what is being opened.
        if isClosed { return false }
        var member = OpenMember(
            member: opened, core: opened.core, lastRequest: now, canBeEvicted: canBeEvicted)
        hold(opened, tenant, &member)
        defer { isSweeping = isSweeping || canBeEvicted }
        return canBeEvicted && !isSweeping
    }

    // MARK: Holding and evicting

    private mutating func hold(_ member: Member, _ tenant: String, _ known: inout OpenMember) {
        if known.held == nil { heldCount += 1 }
        known.held = member
        entries[tenant] = .open(known)
        while heldCount > limit, evictOldest() {}
    }

    /// Evicts the member whose last request is the oldest; returns false where none may go.
    private mutating func evictOldest() -> Bool {
        var oldest: (tenant: String, member: OpenMember)?
        for case (let tenant, .open(let member)) in entries where member.held != nil && member.canBeEvicted {
            if oldest.map({ member.lastRequest < $0.member.lastRequest }) ?? true {
                oldest = (tenant, member)
            }
        }
        guard let oldest else { return false }
        evict(oldest.tenant, oldest.member)
        return true
    }

    /// Holds a member no more; others may still use it.
    private mutating func evict(_ tenant: String, _ known: OpenMember) {
        var known = known
        if let held = known.held {
            released.append(held)
            heldCount -= 1
        }
        known.held = nil
        entries[tenant] = .open(known)
    }

    private mutating func remove(_ tenant: String, _ known: OpenMember) {
        evict(tenant, known)
        entries[tenant] = nil
    }

    /// Evicts the members whose last request is long ago, and forgets those that are gone or closed.
    ///
    /// - Returns: Whether it has to be called again.
    mutating func sweep(at now: ContinuousClock.Instant) -> Bool {
        for case (let tenant, .open(let member)) in entries {
            if openCore(of: member) == nil {
                remove(tenant, member)
            } else if member.held != nil, member.canBeEvicted, now - member.lastRequest >= idleLimit {
                evict(tenant, member)
            }
        }
        isSweeping = !isClosed && !entries.isEmpty
        return isSweeping
    }

    /// Ends the fleet: the members are to be closed, and those that are being opened when they are there.
    mutating func close() -> (members: [Member], opening: [Task<Member, any Error>]) {
        isClosed = true
        defer { entries = [:] }
        var (members, opening): ([Member], [Task<Member, any Error>]) = ([], [])
        for entry in entries.values {
            switch entry {
            case .opening(let task): opening.append(task)
            case .open(let member):
                if let core = openCore(of: member) { members.append(member.member ?? Member(around: core)) }
            }
        }
        return (members, opening)
    }
}
