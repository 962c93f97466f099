import ChildProcesses
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Objects that another context has deleted, and that are referenced through an entity with subentities.
struct OvertakenTreeTests {
    private static func model() throws -> ObjectModel {
        let text = AttributeDescription("text", .string, default: .value(.string("")))
        return try ObjectModel(entities: [
            EntityDescription(
                "Person",
                attributes: [
                    text,
                    AttributeDescription(
                        "letterCount", .int64, isOptional: true,
                        storage: .derived(.count(relationship: "letters"))),
                ],
                relationships: [
                    RelationshipDescription("letters", to: "Letter", inverse: "writer", isToMany: true)
                ]),
            EntityDescription("Employee", superentity: "Person"),
            EntityDescription(
                "Letter",
                attributes: [
                    text,
                    AttributeDescription(
                        "writerText", .string, isOptional: true, storage: .derived(.copy(path: "writer.text"))
                    ),
                ],
                relationships: [RelationshipDescription("writer", to: "Person", inverse: "letters")]),
        ])
    }

    /// Runs a closure with two contexts of a new store.
    private static func run(
        _ subject: Subject,
        _ body: @escaping @Sendable (_ a: ObjectContext, _ b: ObjectContext) throws -> Void
    ) async throws {
        let fixture = subject.fixture
        try await onThread {
            let fresh = try FreshStore(fixture, model())
            defer { fresh.remove() }
            let store = try Store(coordinator: fresh.coordinator)
            try body(store.makeThreadContext(name: "A"), store.makeThreadContext(name: "B"))
        }
    }

    @Test(arguments: Subject.all)
    func `A save of an object whose owner another context has deleted is a conflict, and no missing object`(
        _ subject: Subject
    ) async throws {
        try await Self.run(subject) { a, b in
            let writer = try a.insert("Employee")
            let letter = try a.insert("Letter")
            try letter.set("writer", to: writer)
            try a.save()

            let request = FetchRequest<ManagedObject>(entityName: "Letter")
            let mine = try require(b.fetch(request).first, "The letter")
            try mine.set("text", to: "mine")
            a.delete(writer)
            try a.save()
            try expectError(.conflict) { try b.save() }
            b.mergePolicy = .objectWins
            try b.save()
            try expectEqual(try mine["text"], .string("mine"), "The text")
            try expect(try mine.object("writer") == nil, "The letter has no writer")
        }
    }

    @Test(arguments: Subject.all)
    func `A predicate over an object that another context has deleted finds none, and throws nothing`(
        _ subject: Subject
    ) async throws {
        try await Self.run(subject) { a, b in
            let writer = try a.insert("Employee")
            try writer.set("text", to: "Ann")
            try (try a.insert("Letter")).set("writer", to: writer)
            try a.save()

            let mine = try require(
                b.fetch(FetchRequest<ManagedObject>(entityName: "Letter")).first, "The letter")
            try mine.set("text", to: "mine")
            a.delete(writer)
            try a.save()
            var request = FetchRequest<ManagedObject>(entityName: "Letter")
            request.predicate = try FetchPredicate("writer.text = 'Ann'")
            try expectEqual(try b.fetch(request).count, 0, "The letters of Ann")
        }
    }
}
