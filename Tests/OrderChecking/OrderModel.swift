import ContextCore

// Each lane has two ledgers, both of which every write changes, and an entry per write.

@Entity final class OrderLedger: ManagedObject {
    @Attribute(.unique) var name: String
    /// The number of writes.
    var count: Int = 0
    /// The number of the last write.
    var tag: Int = 0
}

@Entity final class OrderEntry: ManagedObject {
    /// The lane and the count after the write.
    ///
    /// It is not unique, so that only versions prevent two writes from using the same place.
    @Attribute(.indexed) var place: Int
    /// The number of the write.
    var tag: Int

    static func place(_ lane: Int, _ count: Int) -> Int { lane * 10_000_000 + count }
}

/// The state of a lane as one read returns it.
struct OrderSight: Sendable, Hashable {
    var count = 0
    var tag = 0
}

extension ObjectContext {
    func ledgers(_ lane: Int) throws -> (left: OrderLedger, right: OrderLedger) {
        let names = ["left \(lane)", "right \(lane)"]
        let found = try fetch(OrderLedger.self, where: \.name == names[0] || \.name == names[1])
            .sorted { $0.name < $1.name }
        guard found.count == 2 else { throw StoreError(.objectNotFound, "Lane \(lane) has no two ledgers.") }
        return (found[0], found[1])
    }

    func ledger(_ name: String) throws -> OrderLedger {
        guard let ledger = try fetch(OrderLedger.self, where: \.name == name).first else {
            throw StoreError(.objectNotFound, "There is no ledger \(name).")
        }
        return ledger
    }

    func entryTag(_ lane: Int, _ count: Int) throws -> Int? {
        let place = OrderEntry.place(lane, count)
        return try fetch(OrderEntry.self, where: \.place == place).first?.tag
    }
}

extension OrderLedger {
    var sight: OrderSight { OrderSight(count: count, tag: tag) }
}
