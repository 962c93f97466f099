@testable import ContextCore

// A second model for tests of contexts: cascades over several levels, hooks, and an entity without objects.

@Entity final class Country: ManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Town.country) var towns: Set<Town>
}

@Entity final class Town: ManagedObject {
    var name: String
    var country: Country?
    @Relationship(deleteRule: .cascade, inverse: \House.town) var houses: Set<House>
}

@Entity final class House: ManagedObject {
    var number: Int = 0
    @Relationship(deleteRule: .noAction) var town: Town?
    @Relationship(inverse: \Tenant.house) var tenants: Set<Tenant>
}

@Entity final class Tenant: ManagedObject {
    var name: String = ""
    var house: House?
    var mother: Tenant?
}

@Entity final class Verse: ManagedObject {
    var text: String
    var number: Int = 0
    @Transient var length: Int = 0

    override func awakeFromFetch() {
        text = text.lowercased()
        length = text.count
    }
}

@Entity(isAbstract: true) class Shape: ManagedObject {
    var size: Int = 0
}

@Entity final class Circle: Shape {}

/// An in-memory store of countries, and contexts over it.
struct CountryStore {
    let coordinator: InMemoryCoordinator

    init() throws {
        coordinator = InMemoryCoordinator(
            model: try ObjectModel([
                Country.self, Town.self, House.self, Tenant.self, Verse.self, Shape.self, Circle.self,
            ]))
    }

    func context() throws -> ObjectContext {
        ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
    }
}
