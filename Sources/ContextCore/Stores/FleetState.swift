/// Which stores a fleet holds open: those that were asked for last, each by its tenant.
///
/// It is told what happens and when, and neither opens nor closes anything. Its owner guards it by a lock.
struct FleetState<Member: AnyObject & Sendable>: Sendable {
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
        weak var used: Member?
        var lastRequest: ContinuousClock.Instant
        /// Whether the fleet ever lets go of it.
        let isLetGo: Bool
    }

    private let limit: Int
    private let idleLimit: Duration
    private var entries: [String: Entry] = [:]
    private var heldCount = 0
    /// Those that it holds no more, until its owner has left the lock: the last reference to one may be among them.
    private var released: [Member] = []
    private var isSweeping = false
    private var isClosed = false

    init(limit: Int, idleLimit: Duration) {
        self.limit = limit
        self.idleLimit = idleLimit
    }

    var openTenants: [String] {
        entries.compactMap { tenant, entry in
            if case .open(let member) = entry, member.used != nil { tenant } else { nil }
        }.sortedByBytes { $0 }
    }

    /// Somebody asks for a tenant's member: the one that is open, even where only others hold it, or one that is being opened.
    ///
    /// - Parameter open: Begins to open it.
    mutating func request(
        _ tenant: String, at now: ContinuousClock.Instant, open: () -> Task<Member, any Error>
    ) -> Answer {
        if isClosed { return .closed }
        switch entries[tenant] {
        case .opening(let task): return .opening(task)
        case .open(var member):
            guard let used = member.used else { break }
            member.lastRequest = now
            hold(used, tenant, &member)
            return .open(used)
        case nil: break
        }
        let task = open()
        entries[tenant] = .opening(task)
        return .opening(task)
    }

    /// A member was opened, or couldn't be.
    ///
    /// - Returns: Whether somebody has to begin to call ``sweep(at:)``.
    mutating func finishOpening(
        _ tenant: String, _ opened: Member?, isLetGo: Bool, at now: ContinuousClock.Instant
    ) -> Bool {
        // Whoever closes the fleet closes what is being opened.
        if isClosed { return false }
        entries[tenant] = nil
        guard let opened else { return false }
        var member = OpenMember(used: opened, lastRequest: now, isLetGo: isLetGo)
        hold(opened, tenant, &member)
        defer { isSweeping = isSweeping || isLetGo }
        return isLetGo && !isSweeping
    }

    private mutating func hold(_ used: Member, _ tenant: String, _ member: inout OpenMember) {
        if member.held == nil { heldCount += 1 }
        member.held = used
        entries[tenant] = .open(member)
        while heldCount > limit, letGoOfOldest() {}
    }

    /// Lets go of the member that nobody has asked for for longest; false where none may go.
    private mutating func letGoOfOldest() -> Bool {
        var oldest: (tenant: String, member: OpenMember)?
        for case (let tenant, .open(let member)) in entries where member.held != nil && member.isLetGo {
            if oldest.map({ member.lastRequest < $0.member.lastRequest }) ?? true {
                oldest = (tenant, member)
            }
        }
        guard let oldest else { return false }
        letGo(of: oldest.tenant, oldest.member)
        return true
    }

    private mutating func letGo(of tenant: String, _ member: OpenMember) {
        var member = member
        if let held = member.held { released.append(held) }
        member.held = nil
        heldCount -= 1
        entries[tenant] = .open(member)
    }

    /// The members that it has let go of, for its owner to release without the lock.
    mutating func takeReleased() -> [Member] {
        defer { released = [] }
        return released
    }

    /// Lets go of the members that nobody has asked for for long, and forgets those that are gone.
    ///
    /// - Returns: Whether it has to be called again.
    mutating func sweep(at now: ContinuousClock.Instant) -> Bool {
        for case (let tenant, .open(let member)) in entries {
            if member.used == nil {
                entries[tenant] = nil
            } else if member.held != nil, member.isLetGo, now - member.lastRequest >= idleLimit {
                letGo(of: tenant, member)
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
            case .open(let member): if let used = member.used { members.append(used) }
            }
        }
        return (members, opening)
    }
}
