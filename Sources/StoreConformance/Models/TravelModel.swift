import ContextCore

/// The model of the cases about one-to-one relationships: optional in both directions, required in one, and its own inverse.
enum TravelModel {
    static let classes: [ManagedObject.Type] = [Traveler.self, Passport.self, Visa.self]
}

@Entity final class Traveler: ManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Passport.holder) var passport: Passport?
    @Relationship(inverse: \.partner) var partner: Traveler?
}

@Entity final class Passport: ManagedObject {
    var number: Int
    var holder: Traveler?
    @Relationship(deleteRule: .cascade, inverse: \Visa.passport) var visa: Visa?
}

@Entity final class Visa: ManagedObject {
    var country: String
    var passport: Passport
}

/// Three travelers: Ann has passport 1 with a visa, Bob passport 2, and Cid none; Ann and Bob are partners.
///
/// Passport 3 has no holder.
struct TravelFixture {
    let store: Store
    let harness: SessionHarness

    init(_ run: CaseRun, beside suffix: String = "") async throws {
        let coordinator = try run.coordinator(TravelModel.classes, beside: suffix)
        harness = SessionHarness(coordinator: coordinator)
        store = try Store(coordinator: coordinator)
        run.registerForClosing(store)
        try await store.write("fill") { context in
            let (ann, bob) = (Traveler(in: context, name: "Ann"), Traveler(in: context, name: "Bob"))
            _ = Traveler(in: context, name: "Cid")
            let passports = (1...3).map { Passport(in: context, number: $0) }
            ann.passport = passports[0]
            passports[1].holder = bob
            let visa = Visa(in: context, country: "Iceland", passport: passports[0])
            try expect(passports[0].visa === visa, "The passport has the visa")
            ann.partner = bob
        }
        try expectStored(["Ann 1 Bob Iceland", "Bob 2 Ann -", "Cid - - -"], free: [3])
    }

    /// Expects the given travelers and unassigned passports, and that both columns of each one-to-one relationship agree.
    ///
    /// - Parameters:
    ///   - travelers: Each traveler's name, passport number, partner and country of the visa, separated by spaces.
    ///   - free: The numbers of the passports without a holder.
    func expectStored(
        _ travelers: [String], free: [Int64] = [], file: String = #fileID, line: Int = #line
    ) throws {
        let rows = try Rows(harness)
        try rows.expectAgreement(file: file, line: line)
        try expectEqual(rows.travelers, travelers, "The travelers in the store", file: file, line: line)
        try expectEqual(rows.free, free, "The passports without a holder", file: file, line: line)
    }

    /// The stored values of the three entities, read by a session.
    private struct Rows {
        private typealias Table = [Int64: [String: StoredValue]]
        private let entities: [String: Table]

        init(_ harness: SessionHarness) throws {
            entities = try harness.read { session in
                var entities: [String: Table] = [:]
                for layout in harness.model.layouts {
                    let batch = try session.fetch(FetchPlan(entityIndex: layout.index))
                    for row in 0..<batch.count {
                        for (index, column) in layout.columns.enumerated() {
                            entities[layout.name, default: [:]][batch.key(at: row), default: [:]][
                                column.name] =
                                batch.value(index, at: row)
                        }
                    }
                }
                return entities
            }
        }

        private func reference(_ entity: String, _ key: Int64?, _ column: String) -> Int64? {
            guard let key, case .int(let target)? = entities[entity]?[key]?[column] else { return nil }
            return target
        }

        func expectAgreement(file: String, line: Int) throws {
            for (entity, column, destination, inverse) in [
                ("Traveler", "passport", "Passport", "holder"),
                ("Passport", "holder", "Traveler", "passport"),
                ("Passport", "visa", "Visa", "passport"), ("Visa", "passport", "Passport", "visa"),
                ("Traveler", "partner", "Traveler", "partner"),
            ] {
                for key in (entities[entity] ?? [:]).keys {
                    guard let target = reference(entity, key, column) else { continue }
                    try expectEqual(
                        reference(destination, target, inverse), key,
                        "What \(entity):\(key).\(column) is referred to by", file: file, line: line)
                }
            }
        }

        var travelers: [String] {
            (entities["Traveler"] ?? [:]).map { key, values in
                let passport = reference("Traveler", key, "passport")
                let partner = reference("Traveler", key, "partner")
                return [
                    text(values["name"]), text(passport.flatMap { entities["Passport"]?[$0]?["number"] }),
                    text(partner.flatMap { entities["Traveler"]?[$0]?["name"] }),
                    text(
                        reference("Passport", passport, "visa").flatMap { entities["Visa"]?[$0]?["country"] }),
                ].joined(separator: " ")
            }.sorted()
        }

        var free: [Int64] {
            (entities["Passport"] ?? [:]).values.compactMap { values in
                guard case .null? = values["holder"], case .int(let number)? = values["number"] else {
                    return nil
                }
                return number
            }.sorted()
        }

        private func text(_ value: StoredValue?) -> String {
            switch value {
            case .string(let text)?: text
            case .int(let number)?: String(number)
            default: "-"
            }
        }
    }
}

extension ObjectContext {
    func traveler(_ name: String) throws -> Traveler { try only(Traveler.self, "name = %@", name) }

    func passport(_ number: Int) throws -> Passport { try only(Passport.self, "number = %@", number) }
}
