import ContextCore

// The model for tests of objects and contexts, with every kind of relationship and every delete rule.

@Entity final class Author: ManagedObject {
    @Attribute(.unique) var name: String
    var born: Int = 0
    @Relationship(inverse: \Book.author) var books: Set<Book>
}

@Entity final class Rack: ManagedObject {
    @Relationship(inverse: \Book.rack) var books: [Book]
}

@Entity final class Book: ManagedObject {
    @Attribute(.length(1...20)) var title: String
    @Attribute(.range(0...5000)) var pages: Int = 100
    @Transient var isOpen: Bool = false
    var author: Author?
    var rack: Rack?
    @Relationship(inverse: \Topic.books) var topics: Set<Topic>
    @Relationship(deleteRule: .cascade, inverse: \Loan.book) var loans: Set<Loan>
}

@Entity final class Topic: ManagedObject {
    var name: String
    @Relationship(inverse: \.topics) var books: Set<Book>
}

@Entity final class Loan: ManagedObject {
    var days: Int = 14
    var book: Book?
    var reader: Reader?

    override func validateForUpdate() throws {
        if days < 0 {
            throw ValidationFailure(objectID: objectID, entityName: "Loan", rule: "ends before it begins")
        }
        if days > 365 { throw StoreError(.validation, "The loan is too long.") }
    }
}

@Entity final class Reader: ManagedObject {
    var name: String
    var saves: Int = 0
    @Relationship(deleteRule: .deny, inverse: \Loan.reader) var loans: Set<Loan>

    override func willSave() {
        if name == "restless" { saves += 1 }
        if name.lowercased().hasPrefix("loud") { name = name.uppercased() }
    }
}

/// An in-memory store of a library, and contexts over it.
struct Library {
    let coordinator: InMemoryCoordinator

    init() throws {
        coordinator = InMemoryCoordinator(
            model: try ObjectModel([Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self]))
    }
}
