import Testing

@testable import ContextCore

private enum Mode: String, Codable, CaseIterable, AttributeValue { case first, second }

private struct Settings: Codable, Equatable {
    enum Kind: String, Codable { case plain }
    var kind = Kind.plain
}

@Entity private final class Machine: ManagedObject {
    var mode: Mode
    var other: Mode?
    @Attribute(.codable) var settings: Settings = Settings()
}

@Entity private class Animal: ManagedObject {
    var name: String
}

@Entity private final class Cat: Animal {
    var toy: String
}

@Entity private final class Dog: Animal {
    var weight: Int
}

struct UnreadableValueTests {
    /// Creates a context over one machine, whose columns have the values of another program.
    private func machine(_ values: [String: StoredValue]) throws -> (ObjectContext, Machine) {
        let coordinator = InMemoryCoordinator(model: try ObjectModel([Machine.self]))
        let context = ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
        let machine = Machine(in: context, mode: .second)
        machine.other = .second
        try context.save()
        let layout = machine.entity
        var builder = RowBatchBuilder(model: coordinator.model)
        builder.append(
            0, of: try context.graph.parent.rows([machine.key], entityIndex: layout.index),
            version: RowBatch.firstVersion + 1)
        for (name, value) in values {
            builder.set(try #require(layout.property(named: name)?.columns.first), to: value)
        }
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "another program"))
        let columns = Array(layout.columns.indices)
        var changes = ChangeSet()
        changes.updates = [
            .init(
                entityIndex: layout.index, columns: columns, rows: try builder.finish(),
                baseVersions: [RowBatch.firstVersion])
        ]
        _ = try session.apply(changes)
        _ = try session.commit()
        try context.refresh(machine)
        return (context, machine)
    }

    @Test func `An unknown enum case is an error, and an optional one is nil`() throws {
        let (context, machine) = try machine(["mode": .string("third"), "other": .string("third")])
        #expect(machine.other == nil)
        #expect { try context.save() } throws: { ($0 as? StoreError)?.code == .unknownProperty }
        _ = machine.mode
        #expect { try context.fetch(FetchRequest<Machine>()) } throws: {
            ($0 as? StoreError)?.code == .unknownProperty
        }
        #expect(try machine["mode"] == .string("third"))
    }

    @Test func `Invalid JSON reads as the default, with an error`() throws {
        let (context, machine) = try machine(["settings": .string("{\"kind\":\"fancy\"}")])
        #expect(machine.settings == Settings())
        #expect { try context.save() } throws: { ($0 as? StoreError)?.code == .unknownProperty }
        #expect(try machine["settings"] == .string("{\"kind\":\"fancy\"}"))
    }

    @Test func `A key path through invalid JSON reads the default`() {
        #expect(KeyPathProbe.names(of: \Machine.settings) == ["settings"])
        #expect(
            Machine.entityDescription.attributes.contains { $0.name == "settings" && $0.defaultValue != nil })
    }

    @Test func `The identifier of a subentity has another entity`() throws {
        let coordinator = InMemoryCoordinator(model: try ObjectModel([Animal.self, Cat.self, Dog.self]))
        let parent = try CountingParent(coordinator)
        let start = ObjectContext(model: coordinator.model, parent: parent)
        let dog = Dog(in: start, weight: 7)
        dog.name = "Rex"
        try start.save()
        let context = ObjectContext(model: coordinator.model, parent: parent)
        let id = try #require(ObjectID(uri: dog.objectID.uri.replacing("Animal", with: "Cat")))
        #expect { try context.object(with: id) } throws: { ($0 as? StoreError)?.code == .objectNotFound }
        #expect { try context.existingObject(with: id) } throws: {
            ($0 as? StoreError)?.code == .objectNotFound
        }
        #expect(try context.object(with: dog.objectID, as: Dog.self).weight == 7)
    }
}
