import ContextCore
import Testing

private class Animal: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Animal.self, properties: [.property("keeper", Keeper?.self)])
    }
}

private final class Cat: Animal {
    override class var entityDescription: EntityDescription {
        EntityDescription(of: Cat.self, inheriting: Animal.self, properties: [])
    }
}

private final class Keeper: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(of: Keeper.self, properties: [])
    }
}

struct ClassCheckingTests {
    private func problems(_ entities: EntityDescription...) -> [String] {
        ModelCheckingTests.problems(entities)
    }

    @Test func `Classes with the inheritance of their entities make a model`() throws {
        let model = try ObjectModel([Cat.self, Keeper.self, Animal.self])
        #expect(model.layouts.map(\.name) == ["Animal", "Cat", "Keeper"])
        #expect(model.layouts[1].superentityIndex == 0)
        #expect(model.layouts[1].description.objectClass == Cat.self)
    }

    @Test func `A class that relationships or superclasses need must be listed too`() {
        let error = #expect(throws: ModelError.self) { try ObjectModel([Cat.self]) }
        #expect(
            error?.problems.map(\.description) == [
                "Cat: Its superentity “Animal” isn't in the model: add it to the model, or correct the name."
            ])
        let second = #expect(throws: ModelError.self) { try ObjectModel([Animal.self]) }
        #expect(second?.problems.map(\.code) == [.unknownDestination])
    }

    @Test func `A class inherits from its superentity's class`() {
        #expect(
            problems(
                Animal.entityDescription, Keeper.entityDescription,
                EntityDescription("Cat", superentity: "Animal")) == [
                    "Cat: It inherits from “Animal”, but its class ManagedObject doesn't inherit from Animal: make it a subclass."
                ])
        var stray = Keeper.entityDescription
        stray.superentityName = "Animal"
        #expect(
            problems(Animal.entityDescription, stray) == [
                "Keeper: It inherits from “Animal”, but its class Keeper doesn't inherit from Animal: make it a subclass."
            ])
    }

    @Test func `A class has one entity, by the name that it declares`() {
        var renamed = Keeper.entityDescription
        renamed.name = "Warden"
        #expect(
            problems(renamed) == [
                "Warden: Its class Keeper has the entity name “Keeper”: use the same name in both."
            ])
    }
}
