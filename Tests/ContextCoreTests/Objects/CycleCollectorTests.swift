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
        let coordinator = InMemoryCoordinator(model: try ObjectModel([Crew.self, Sailor.self, Port.self]))
        let context = try Store(coordinator: coordinator).makeThreadContext(name: "ships")
        func insert() throws {
            let sailors = ["Ann", "Bob", "Eve"].map { Sailor(in: context, name: $0) }
            let crew = Crew(in: context, name: "Blue")
            crew.members = Set(sailors)
            crew.ranking = sailors.reversed()
            let port = Port(in: context, name: "Hull")
            port.crews = [crew]
            sailors[0].homes = [port]
            try context.save()
        }
        func read() throws -> Crew {
            for sailor in try context.fetch(Sailor.self) { _ = (sailor.crews.count, sailor.homes.count) }
            for port in try context.fetch(Port.self) { _ = port.crews.count }
            let crew = try #require(try context.fetch(Crew.self).first)
            #expect(crew.members.count == 3)
            #expect(crew.ranking.map(\.name) == ["Eve", "Bob", "Ann"])
            return crew
        }
        try insert()
        #expect(context.registeredObjects.count == 0)
        _ = try read()
        #expect(context.registeredObjects.count == 0)
        let crew = try read()
        #expect(context.registeredObjects.contains(crew))
        #expect(crew.members.count == 3 && crew.ranking.map(\.name) == ["Eve", "Bob", "Ann"])
        crew.ranking.swapAt(0, 2)
        try context.save()
        #expect(crew.ranking.map(\.name) == ["Ann", "Bob", "Eve"])
    }
}

@Entity final class Crew: ManagedObject {
    var name: String
    var port: Port?
    @Relationship(inverse: \Sailor.crews) var members: Set<Sailor>
    @Relationship(inverse: \Sailor.ranks) var ranking: [Sailor]
}

@Entity final class Sailor: ManagedObject {
    var name: String
    @Relationship(inverse: \Crew.members) var crews: Set<Crew>
    @Relationship(inverse: \Crew.ranking) var ranks: Set<Crew>
    @Relationship(inverse: \Port.sailor) var homes: [Port]
}

@Entity final class Port: ManagedObject {
    var name: String
    var sailor: Sailor?
    @Relationship(inverse: \Crew.port) var crews: Set<Crew>
}
