import Testing

@testable import ContextCore

@Entity private class Guest: ManagedObject {
    var name: String
    var table: Table?
}

@Entity private final class Speaker: Guest {
    var topic: String?
}

@Entity private final class Table: ManagedObject {
    @Relationship(inverse: \Guest.table) var guests: Set<Guest>
    @Relationship(inverse: \Dish.table) var dishes: [Dish]
}

@Entity private final class Dish: ManagedObject {
    var name: String
    var table: Table?
}

/// To-many relationships return collections of their class, which are copies for the caller.
struct TypedMembersTests {
    private let coordinator: InMemoryCoordinator
    private let context: ObjectContext

    init() throws {
        coordinator = InMemoryCoordinator(
            model: try ObjectModel([Guest.self, Speaker.self, Table.self, Dish.self]))
        context = try Self.context(coordinator)
    }

    private static func context(_ coordinator: InMemoryCoordinator) throws -> ObjectContext {
        ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
    }

    private func loaded() throws -> Table {
        let other = try Self.context(coordinator)
        let table = Table(in: other)
        for number in 0..<40 {
            _ = Guest(in: other, name: "guest \(number)", table: table)
            table.dishes.append(Dish(in: other, name: "dish \(number)"))
        }
        try other.save()
        return try #require(try context.fetch(Table.self, prefetching: [\.guests, \.dishes]).first)
    }

    @Test func `Changing a copy of the members doesn't change the relationship`() throws {
        let table = try loaded()
        let (guests, dishes) = (table.guests, table.dishes)
        var (someGuests, someDishes) = (guests, dishes)
        for guest in guests.prefix(30) { someGuests.remove(guest) }
        for number in 0..<100 { someGuests.insert(Guest(in: context, name: "late \(number)")) }
        someDishes.removeLast(30)
        someDishes += (0..<100).map { Dish(in: context, name: "extra \($0)") }
        #expect(someGuests.count == 110 && someDishes.count == 110)
        #expect(table.guests == guests && guests.count == 40)
        #expect(table.dishes == dishes && dishes.map(\.name) == (0..<40).map { "dish \($0)" })
    }

    @Test func `Members of subclasses are members`() throws {
        let table = try loaded()
        let speaker = Speaker(in: context, name: "Ann", table: table)
        speaker.topic = "trees"
        #expect(table.guests.count == 41 && table.guests.contains(speaker))
        #expect(table.guests.contains { ($0 as? Speaker)?.topic == "trees" })
        table.guests.remove(speaker)
        #expect(speaker.table == nil && table.guests.count == 40)
    }

    @Test func `Deleted members are omitted from both kinds`() throws {
        let table = try loaded()
        let (guest, dish) = (try #require(table.guests.first), table.dishes[7])
        context.delete(guest)
        context.delete(dish)
        #expect(table.guests.count == 39 && !table.guests.contains(guest))
        #expect(table.dishes.count == 39 && !table.dishes.contains(dish))
    }

    @Test func `Rows that are fetched again for the same members are the latest ones`() throws {
        let table = try loaded()
        let names = table.guests.map(\.name)
        let other = try Self.context(coordinator)
        for guest in try other.fetch(Guest.self) { guest.name += "!" }
        try other.save()
        context.reset()
        let again = try #require(try context.fetch(Table.self, prefetching: [\.guests]).first)
        #expect(Set(again.guests.map(\.name)) == Set(names.map { $0 + "!" }))
    }
}
