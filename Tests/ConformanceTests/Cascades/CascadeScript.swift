import RandomSeeds

@testable import ContextCore

/// A random script over a store of lands: blocks that delete, change, query and save objects, with a log of the results.
///
/// The same seed gives the same log on every store, whether deletions load the dependents or leave them to the save.
struct CascadeScript {
    private let store: Store
    /// Whether a deletion loads every dependent as an object.
    private let seesAll: Bool
    private var random: SeededRandom
    /// The results of all steps.
    private(set) var log: [String] = []
    /// The number of blocks that ended with dependents that are not loaded.
    private(set) var unseenCount = 0

    init(_ store: Store, seed: UInt64, seesAll: Bool) {
        self.store = store
        self.seesAll = seesAll
        random = SeededRandom(seed: seed)
    }

    mutating func run(blocks: Int) async throws {
        let lands = random.next()
        try await store.write("build") { LandBuilder.build($0, seed: lands) }
        for _ in 0..<blocks {
            let seed = random.next()
            let seesAll = seesAll
            do {
                let outcome = try await store.write("block") { context in
                    if seesAll { context.graph.messenger = ContextMessenger(context.graph) }
                    var block = CascadeBlock(context, seed: seed)
                    try block.run()
                    return (log: block.log, hadUnloadedDependents: context.graph.hasUnloadedDependents)
                }
                log += outcome.log
                unseenCount += outcome.hadUnloadedDependents ? 1 : 0
            } catch let error as StoreError {
                log.append("refused: \(error.code), \(Self.failures(error))")
            }
            log += try await store.read("look") { try LandText(context: $0).lines() }
        }
        for transaction in try await store.history() { log += transaction.changes.map(Self.text) }
    }

    private static func text(_ change: StoreTransaction.Change) -> String {
        "\(change.kind) \(change.entityName) \(change.objectID.key) \(change.changedProperties) \(change.tombstone)"
    }

    private static func failures(_ error: StoreError) -> [String] {
        (error.failures.map { "\($0.property ?? "") \($0.rule)" }
            + error.conflicts.map { "\($0.entityName) \($0.kind)" }).sorted()
    }
}

/// The creation of lands with their dependents.
private struct LandBuilder {
    let context: ObjectContext
    var random: SeededRandom

    static func build(_ context: ObjectContext, seed: UInt64) {
        var builder = LandBuilder(context: context, random: SeededRandom(seed: seed))
        builder.build()
    }

    private mutating func build() {
        let signs = (0..<2).map { Sign(in: context, name: "sign \($0)") }
        for number in 0..<3 {
            let land = Land(in: context, name: "land \(number)")
            for index in 0..<Int.random(in: 0...3, using: &random) {
                let town = Town(in: context, name: "town \(number).\(index)", land: land)
                build(town)
            }
            buildBranches(of: land)
            for index in 0..<Int.random(in: 0...1, using: &random) {
                let market = Market(in: context, name: "market \(number).\(index)", land: land)
                market.signs = Set(signs.filter { _ in Bool.random(using: &random) })
                for stall in 0..<2 { _ = Stall(in: context, name: "\(market.name).\(stall)", market: market) }
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                let bank = Bank(in: context, name: "bank \(number)", land: land)
                if Bool.random(using: &random) { _ = Deposit(in: context, name: bank.name, bank: bank) }
            }
        }
    }

    private mutating func build(_ town: Town) {
        for index in 0..<Int.random(in: 0...4, using: &random) {
            let name = "\(town.name).\(index)"
            if Bool.random(using: &random) {
                let villa = Villa(in: context)
                (villa.name, villa.town) = (name, town)
                _ = Pool(in: context, name: name, villa: villa)
                for room in 0..<2 { _ = Room(in: context, name: "\(name).\(room)", house: villa) }
            } else {
                let house = House(in: context, name: name, town: town)
                for room in 0..<Int.random(in: 0...3, using: &random) {
                    _ = Room(in: context, name: "\(name).\(room)", house: house)
                }
            }
        }
    }

    /// Inserts trees of branches, some of which are cyclic.
    private mutating func buildBranches(of land: Land) {
        var branches: [Branch] = []
        for index in 0..<Int.random(in: 0...5, using: &random) {
            let branch = Branch(in: context, name: "\(land.name).\(index)")
            if Bool.random(using: &random) || branches.isEmpty { branch.land = land }
            branch.parent = branches.randomElement(using: &random)
            branches.append(branch)
        }
        if Bool.random(using: &random), let first = branches.first { first.parent = branches.last }
    }
}

/// The steps of one block.
private struct CascadeBlock {
    private let context: ObjectContext
    private var random: SeededRandom
    private(set) var log: [String] = []
    /// The objects that the block uses.
    private var held: [ManagedObject] = []

    init(_ context: ObjectContext, seed: UInt64) {
        self.context = context
        random = SeededRandom(seed: seed)
    }

    mutating func run() throws {
        held += try context.fetch(FetchRequest<Land>(order: [SortKey("name")]))
        if Int.random(in: 0..<3, using: &random) == 0 {
            held += try context.fetch(FetchRequest<Town>(order: [SortKey("name")]))
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            held += try context.fetch(FetchRequest<Room>(order: [SortKey("name")], limit: 3))
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            try step(Int.random(in: 0..<20, using: &random))
            log.append("held: \(held.map { "\($0.objectState)" })")
        }
        log.append("has changes: \(context.hasChanges)")
    }

    private mutating func step(_ number: Int) throws {
        guard let object = held.randomElement(using: &random) else { return }
        switch number {
        case 0..<8: context.delete(object)
        case 8: logResult("rooms", try context.count(FetchRequest<Room>()))
        case 9: logResult("houses", try names(context.fetch(FetchRequest<House>())))
        case 10: logResult("deleted", try names(context.deletedObjects))
        case 11: logResult("towns", try (object as? Land).map { try names($0.towns) } ?? [])
        case 12: logResult("members", try (object as? Land)?.members(\.towns).count ?? -1)
        case 13: rename(object)
        case 14: move(object)
        case 15: insert(beside: object)
        case 16: try context.save()
        case 17: context.rollback()
        case 18: try context.save(only: [object])
        default: logResult("child", try context.makeChild().count(FetchRequest<Branch>()))
        }
    }

    private mutating func logResult(_ what: String, _ answer: some Any) {
        log.append("\(what): \(answer)")
    }

    private func names(_ objects: some Sequence<ManagedObject>) throws -> [String] {
        try objects.map { "\(try $0["name"])" }.sorted()
    }

    private func rename(_ object: ManagedObject) {
        if object.isDeleted { return }
        if let town = object as? Town { town.name += "'" }
        if let room = object as? Room { room.name += "'" }
        if let land = object as? Land { land.name += "'" }
    }

    private mutating func move(_ object: ManagedObject) {
        let lands = held.compactMap { $0 as? Land }.filter { !$0.isDeleted }
        guard !object.isDeleted, let town = object as? Town else { return }
        town.land = lands.randomElement(using: &random)
    }

    private mutating func insert(beside object: ManagedObject) {
        if object.isDeleted { return }
        let name = "new \(held.count)"
        if let land = object as? Land { held.append(Town(in: context, name: name, land: land)) }
        if let town = object as? Town {
            let house = House(in: context, name: name, town: town)
            held.append(Room(in: context, name: name, house: house))
        }
    }
}

/// The contents of a store as lines of text.
private struct LandText {
    let context: ObjectContext

    func lines() throws -> [String] {
        try all(Land.self) { "\($0.name)" } + all(Town.self) { "\($0.name) in \($0.land?.name ?? "-")" }
            + all(House.self) { "\($0.name) in \($0.town?.name ?? "-")" }
            + all(Room.self) { "\($0.name) in \($0.house?.name ?? "-")" }
            + all(Pool.self) { "\($0.name) in \($0.villa?.name ?? "-")" }
            + all(Branch.self) { "\($0.name) on \($0.parent?.name ?? "-") in \($0.land?.name ?? "-")" }
            + all(Market.self) { "\($0.name) in \($0.land?.name ?? "-"), \($0.signs.map(\.name).sorted())" }
            + all(Stall.self) { "\($0.name) in \($0.market?.name ?? "-")" }
            + all(Bank.self) { "\($0.name) in \($0.land?.name ?? "-"), \($0.deposits.count)" }
    }

    private func all<Object: ManagedObject>(
        _ type: Object.Type, _ text: (Object) -> String
    ) throws -> [String] {
        try context.fetch(FetchRequest<Object>()).map { "\(type) \(text($0))" }.sorted()
    }
}
