import Testing

@testable import ContextCore

/// Objects of a many-to-many relationship that refer to each other are released when the program has no references to them.
struct CycleCollectorTests {
    private let library: Library
    private let context: ObjectContext

    init() throws {
        library = try Library()
        context = try library.context().context
    }

    private func insertPairs(_ count: Int) throws {
        for number in 0..<count {
            let topic = Topic(in: context, name: "\(number)")
            _ = Book(in: context, title: "\(number)", topics: [topic])
        }
        try context.save()
    }

    private func readPairs(_ context: ObjectContext) throws {
        let topics = try context.fetch(Topic.self)
        #expect(topics.allSatisfy { $0.books.count == 1 })
        #expect(try context.fetch(Book.self).allSatisfy { $0.topics.count == 1 })
    }

    @Test func `Pairs that were inserted or read from both ends are released`() throws {
        try insertPairs(1000)
        #expect(context.registeredObjects.count == 0)
        try readPairs(context)
        #expect(context.registeredObjects.count == 0)
        #expect(try context.count(FetchRequest<Book>()) == 1000)
    }

    @Test func `Collection happens automatically`() throws {
        for _ in 0..<5 {
            try insertPairs(500)
            #expect(context.graph.identities.all.count <= 2000)
        }
    }

    @Test func `Referenced members are not fetched again`() throws {
        try insertPairs(10)
        let (reader, parent) = try library.context()
        let topics = try reader.fetch(Topic.self, order: .ascending(\.name))
        let books = Set(topics.flatMap(\.books))
        #expect(books.count == 10 && books.allSatisfy { $0.topics.count == 1 })
        let reads = parent.reads
        #expect(reader.registeredObjects.count == 20)
        #expect(Set(topics.flatMap(\.books)) == books && books.allSatisfy { $0.topics.count == 1 })
        #expect(parent.reads == reads)
    }

    @Test func `A reference to one end keeps the other`() throws {
        try insertPairs(10)
        let reader = try library.context().context
        func topic() throws -> Topic {
            try readPairs(reader)
            return try #require(try reader.fetch(Topic.self, where: \.name == "3").first)
        }
        let topic = try topic()
        #expect(reader.registeredObjects == [topic])
        #expect(topic.books.map(\.title) == ["3"])
        #expect(topic.books.first?.topics == [topic])
    }

    @Test func `Changes keep both ends`() throws {
        try insertPairs(3)
        func change() throws {
            let topics = try context.fetch(Topic.self, order: .ascending(\.name))
            let book = Book(in: context, title: "new", topics: Set(topics))
            #expect(topics.allSatisfy { $0.books.contains(book) && $0.books.count == 2 })
        }
        try change()
        #expect(context.registeredObjects.count >= 4 && context.hasChanges)
        try context.save()
        #expect(context.registeredObjects.count == 0)
        #expect(try context.fetch(Topic.self).allSatisfy { $0.books.count == 2 })
    }

    @Test func `Cycles through different relationships are released, ordered ones too`() throws {
        let coordinator = InMemoryCoordinator(
            model: try ObjectModel([Convoy.self, Trucker.self, Depot.self]))
        let context = try Store(coordinator: coordinator).makeThreadContext(name: "roads")
        func insert() throws {
            let truckers = ["Ann", "Bob", "Eve"].map { Trucker(in: context, name: $0) }
            let convoy = Convoy(in: context, name: "Blue")
            convoy.members = Set(truckers)
            convoy.ranking = truckers.reversed()
            let depot = Depot(in: context, name: "Hull")
            depot.convoys = [convoy]
            truckers[0].homes = [depot]
            try context.save()
        }
        func read() throws -> Convoy {
            for trucker in try context.fetch(Trucker.self) {
                _ = (trucker.convoys.count, trucker.homes.count)
            }
            for depot in try context.fetch(Depot.self) { _ = depot.convoys.count }
            let convoy = try #require(try context.fetch(Convoy.self).first)
            #expect(convoy.members.count == 3)
            #expect(convoy.ranking.map(\.name) == ["Eve", "Bob", "Ann"])
            return convoy
        }
        try insert()
        #expect(context.registeredObjects.count == 0)
        _ = try read()
        #expect(context.registeredObjects.count == 0)
        let convoy = try read()
        #expect(context.registeredObjects.contains(convoy))
        #expect(convoy.members.count == 3 && convoy.ranking.map(\.name) == ["Eve", "Bob", "Ann"])
        convoy.ranking.swapAt(0, 2)
        try context.save()
        #expect(convoy.ranking.map(\.name) == ["Ann", "Bob", "Eve"])
    }
}

@Entity final class Convoy: ManagedObject {
    var name: String
    var depot: Depot?
    @Relationship(inverse: \Trucker.convoys) var members: Set<Trucker>
    @Relationship(inverse: \Trucker.ranks) var ranking: [Trucker]
}

@Entity final class Trucker: ManagedObject {
    var name: String
    @Relationship(inverse: \.members) var convoys: Set<Convoy>
    @Relationship(inverse: \.ranking) var ranks: Set<Convoy>
    @Relationship(inverse: \Depot.trucker) var homes: [Depot]
}

@Entity final class Depot: ManagedObject {
    var name: String
    var trucker: Trucker?
    @Relationship(inverse: \Convoy.depot) var convoys: Set<Convoy>
}
