import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Testing

@testable import StoreAdmin

@Entity final class Region: ManagedObject {
    var name: String
}

@Entity final class Route: ManagedObject {
    var name: String
    @Relationship(inverse: \Depot.routes) var depots: Set<Depot>
}

@Entity final class Depot: ManagedObject {
    var title: String?
    var region: Region?
    @Relationship(deleteRule: .nullify, inverse: \Parcel.depot) var parcels: Set<Parcel>
    @Relationship(inverse: \.depots) var routes: Set<Route>
    @Relationship(inverse: \.neighbors) var neighbors: Set<Depot>
    @Derived(.lowercased(\.title)) var lowerTitle: String?
    @Derived(.canonical(\.title)) var plainTitle: String?
    @Derived(.count(\.parcels)) var parcelCount: Int
    @Derived(.count(\.routes)) var routeCount: Int
    @Derived(.count(\.neighbors)) var neighborCount: Int
    @Derived(.sum(\.parcels, \.pieces)) var pieceSum: Int
    @Derived(.sum(\.parcels, \.weight)) var weightSum: Double
    @Derived(.sum(\.parcels, \.price)) var priceSum: Decimal
    @Derived(.minimum(\.parcels, \.label)) var firstLabel: String?
    @Derived(.maximum(\.parcels, \.pieces)) var mostPieces: Int?
    @Derived(.now) var savedAt: Date
}

@Entity class Parcel: ManagedObject {
    var label: String
    var pieces: Int = 0
    var weight: Double = 0
    var price: Decimal = 0
    var depot: Depot?
    @Derived(.copy(\.depot.title)) var depotTitle: String?
    @Derived(.copy(\.depot.region.name)) var regionName: String?
    @Derived(.lowercased(\.depot.region.name)) var lowerRegionName: String?
}

@Entity final class Crate: Parcel {
    var isOpen: Bool = false
}

/// The results of `check` and `check --repair` for derived attributes that were changed by SQL.
struct DerivedValueTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// A derived attribute that SQL changes, and the expected finding.
    struct Damage: Sendable, CustomTestStringConvertible {
        let object: Object
        let assignment: String
        let property: String
        let definition: String

        init(_ object: Object, _ assignment: String, _ property: String, _ definition: String) {
            (self.object, self.assignment) = (object, assignment)
            (self.property, self.definition) = (property, definition)
        }

        var testDescription: String { "\(object.condition): \(assignment)" }
        var statement: String { "UPDATE \(object.table) SET \(assignment) WHERE \(object.condition)" }
    }

    /// An object of the store, and the condition that selects its row.
    struct Object: Sendable {
        let entityName: String
        let table: String
        let condition: String

        static let full = Object(entityName: "Depot", table: "depot", condition: "title = 'Éire'")
        static let low = Object(entityName: "Depot", table: "depot", condition: "title = 'Low'")
        static let empty = Object(entityName: "Depot", table: "depot", condition: "title IS NULL")

        static func parcel(_ label: String, _ entityName: String = "Parcel") -> Object {
            Object(entityName: entityName, table: "parcel", condition: "label = '\(label)'")
        }
    }

    static let damages = [
        Damage(.full, "lower_title = 'Éire'", "lowerTitle", "title in lower case"),
        Damage(.empty, "lower_title = ''", "lowerTitle", "title in lower case"),
        Damage(.full, "plain_title = 'éire'", "plainTitle", "title without case and diacritics"),
        Damage(.full, "parcel_count = parcel_count + 1", "parcelCount", "the count of parcels"),
        Damage(.low, "route_count = 0", "routeCount", "the count of routes"),
        Damage(.full, "piece_sum = 0", "pieceSum", "the sum of parcels.pieces"),
        Damage(.empty, "piece_sum = 1", "pieceSum", "the sum of parcels.pieces"),
        Damage(.full, "weight_sum = weight_sum + 0.001", "weightSum", "the sum of parcels.weight"),
        Damage(.full, "price_sum = (SELECT max(price) FROM parcel)", "priceSum", "the sum of parcels.price"),
        Damage(.full, "first_label = 'b'", "firstLabel", "the minimum of parcels.label"),
        Damage(.low, "first_label = NULL", "firstLabel", "the minimum of parcels.label"),
        Damage(.full, "most_pieces = 2", "mostPieces", "the maximum of parcels.pieces"),
        Damage(.empty, "most_pieces = 0", "mostPieces", "the maximum of parcels.pieces"),
        Damage(.parcel("a"), "depot_title = 'x'", "depotTitle", "a copy of depot.title"),
        Damage(.parcel("b", "Crate"), "depot_title = NULL", "depotTitle", "a copy of depot.title"),
        Damage(.parcel("a"), "region_name = 'x'", "regionName", "a copy of depot.region.name"),
        // Its depot has no region, and the next parcel has no depot.
        Damage(.parcel("d"), "region_name = 'North'", "regionName", "a copy of depot.region.name"),
        Damage(.parcel("e"), "region_name = ''", "regionName", "a copy of depot.region.name"),
        Damage(
            .parcel("e"), "lower_region_name = 'x'", "lowerRegionName", "depot.region.name in lower case"),
    ]

    /// Creates a store with the object graph, expects no findings, and opens it for SQL.
    private func makeDepots(_ place: TestPlace) async throws -> RawStore {
        let url = place.freshURL()
        bench.variables["STORECTL_URL"] = url
        let store = try await Store.open(
            url.replacing("sqlite:", with: "sqlite:\(bench.folder)/"), backends: [.sqlite, .postgres],
            model: [Region.self, Route.self, Depot.self, Parcel.self, Crate.self])
        try await store.write("depots") { context in
            let full = Depot(in: context, title: "Éire", region: Region(in: context, name: "North"))
            let low = Depot(in: context, title: "Low")
            _ = Depot(in: context)
            low.routes = [Route(in: context, name: "1"), Route(in: context, name: "2")]
            _ = Parcel(in: context, label: "a", pieces: 1, weight: 0.3, price: 1.5, depot: full)
            _ = Crate(in: context, label: "b", pieces: 2, weight: 0.2, price: 2.25, depot: full)
            _ = Parcel(in: context, label: "d", pieces: 4, weight: 8, price: 3, depot: low)
            _ = Parcel(in: context, label: "e", pieces: 5, weight: 9, price: 4)
        }
        // A long-lived context leaves derived attributes to the transaction of its save.
        let editor = store.makeBackgroundContext()
        try await editor.perform { context in
            let request = FetchRequest<Depot>(where: try FetchPredicate("title = 'Éire'"))
            let full = try context.first(request)
            _ = Crate(in: context, label: "c", pieces: 3, weight: 0.1, price: 0.75, depot: full)
            try context.save()
        }
        await store.close()
        let clean = bench.run("check")
        #expect(clean.exit == .success && clean.output == "no problems found\n", "\(clean.output)")
        return try RawStore(url, in: bench.folder)
    }

    /// Returns the findings of a check, without order.
    private func findings(_ words: String...) -> Set<String> {
        let found = bench.run(["check", "-o", "csv"] + words)
        let lines = found.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        #expect(found.exit == (lines.isEmpty ? .success : .differences), "\(found.problems)")
        return Set(lines)
    }

    private func name(_ object: Object, _ raw: RawStore) throws -> String {
        let key = try raw.count("SELECT _id FROM \(object.table) WHERE \(object.condition)")
        return "\(object.entityName):\(try #require(key))"
    }

    private func version(_ object: Object, _ raw: RawStore) throws -> Int64? {
        try raw.count("SELECT _version FROM \(object.table) WHERE \(object.condition)")
    }

    // MARK: Each derivation

    @Test(arguments: TestPlace.available, damages)
    func `A derived attribute changed by SQL is found, and computed again by a repair`(
        place: TestPlace, damage: Damage
    ) async throws {
        let raw = try await makeDepots(place)
        let object = try name(damage.object, raw)
        let before = try bench.json("get", object)["properties"]
        let version = try #require(try version(damage.object, raw))
        #expect(before != nil)
        try raw.execute([damage.statement])
        #expect(try bench.json("get", object)["properties"] != before, "The statement has changed nothing.")

        #expect(findings() == ["derived,\(object),\(damage.property),is not \(damage.definition)"])
        let planned = bench.run("check", "--repair")
        #expect(planned.exit == .refused && planned.output.contains("\(damage.property) is recomputed"))
        #expect(try self.version(damage.object, raw) == version)

        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .success, "\(done.output)\(done.problems)")
        #expect(done.output.hasSuffix("The repair is done. No problems are left.\n"))
        #expect(findings().isEmpty)
        #expect(try bench.json("get", object)["properties"] == before)
        // The version and the history notify contexts of the change.
        #expect(try self.version(damage.object, raw) == version + 1)
        guard case .array(let saves)? = try bench.json("history", "list", "--limit", "1")["rows"],
            case .object(let save)? = saves.first, case .number(let number)? = save["save"]
        else {
            Issue.record("The history has no save.")
            return
        }
        #expect(save["author"] == .string("storectl check"))
        let change = bench.run("history", "show", number).output
        #expect(change.contains(object) && change.contains(damage.property), "\(change)")
    }

    @Test(arguments: TestPlace.available)
    func `Attributes derived from a value changed by SQL are found`(place: TestPlace) async throws {
        let raw = try await makeDepots(place)
        let (full, a) = (try name(.full, raw), try name(.parcel("a"), raw))
        let crates = try ["b", "c"].map { try name(.parcel($0, "Crate"), raw) }
        try raw.execute([
            "UPDATE parcel SET pieces = 9 WHERE label = 'a'", "UPDATE region SET name = 'South'",
            "DELETE FROM parcel WHERE label = 'd'",
        ])
        let low = try name(.low, raw)
        let expected =
            ["pieceSum,is not the sum of parcels.pieces", "mostPieces,is not the maximum of parcels.pieces"]
            .map { "derived,\(full),\($0)" }
            + [
                "parcelCount,is not the count of parcels", "pieceSum,is not the sum of parcels.pieces",
                "weightSum,is not the sum of parcels.weight", "priceSum,is not the sum of parcels.price",
                "firstLabel,is not the minimum of parcels.label",
                "mostPieces,is not the maximum of parcels.pieces",
            ].map { "derived,\(low),\($0)" }
            + ([a] + crates).flatMap { object in
                [
                    "regionName,is not a copy of depot.region.name",
                    "lowerRegionName,is not depot.region.name in lower case",
                ].map { "derived,\(object),\($0)" }
            }
        #expect(findings() == Set(expected))
        #expect(findings("--entity", "Crate") == Set(expected.filter { $0.contains(",Crate:") }))
        #expect(findings("--limit", "3").count == 3)
        #expect(findings("--only", "orphans,unique").isEmpty)
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .success, "\(done.output)\(done.problems)")
        #expect(try raw.count("SELECT count(*) FROM parcel WHERE region_name = 'South'") == 3)
    }

    // MARK: Equal values

    @Test(arguments: TestPlace.available)
    func `A sum of doubles may have been computed in any order`(place: TestPlace) async throws {
        let raw = try await makeDepots(place)
        let sums = [0.3 + 0.2 + 0.1, 0.1 + 0.2 + 0.3]
        #expect(sums[0] != sums[1])
        for sum in sums {
            try raw.execute(["UPDATE depot SET weight_sum = \(sum) WHERE title = 'Éire'"])
            #expect(findings().isEmpty)
        }
        try raw.execute(["UPDATE depot SET weight_sum = 0.6000001 WHERE title = 'Éire'"])
        #expect(findings().count == 1)
    }

    @Test func `The time of the last save isn't checked`() async throws {
        let raw = try await makeDepots(.sqlite)
        try raw.execute(["UPDATE depot SET saved_at = 0"])
        #expect(findings().isEmpty)
    }

    @Test func `A sample keeps the derived values of its objects, and a repair computes them`() async throws {
        _ = try await makeDepots(.sqlite)
        let source = try #require(bench.variables["STORECTL_URL"])
        let made = bench.run("data", "sample", source, "sqlite:small.sqlite", "-n", "1", "--entity", "Crate")
        #expect(made.exit == .success, "\(made.output)\(made.problems)")
        bench.variables["STORECTL_URL"] = "sqlite:small.sqlite"
        #expect(findings().contains { $0.hasSuffix("parcelCount,is not the count of parcels") })
        #expect(bench.run("check", "--repair", "--yes").exit == .success)
    }

    // MARK: Repairs

    @Test(arguments: TestPlace.available)
    func `Derived values that other repairs affect are computed in the same transaction`(place: TestPlace)
        async throws
    {
        for words in [[], ["--only", "inverses"]] {
            let raw = try await makeDepots(place)
            let (full, low) = (try name(.full, raw), try name(.low, raw))
            try raw.execute([
                "INSERT INTO depot_neighbors VALUES ((SELECT _id FROM depot WHERE title = 'Éire'), "
                    + "(SELECT _id FROM depot WHERE title = 'Low'))"
            ])
            #expect(
                findings("--only", "derived")
                    == ["derived,\(full),neighborCount,is not the count of neighbors"])
            let done = bench.run(["check", "--repair", "--yes"] + words)
            #expect(done.exit == .success, "\(done.output)\(done.problems)")
            // The count of the depot that the repair has linked again was correct before.
            #expect(try raw.count("SELECT neighbor_count FROM depot WHERE title = 'Low'") == 1, "\(low)")
            // The other count was wrong, and a repair of inverses doesn't change it.
            let count: Int64 = words.isEmpty ? 1 : 0
            #expect(try raw.count("SELECT neighbor_count FROM depot WHERE title = 'Éire'") == count)
        }
    }

    @Test(arguments: TestPlace.available)
    func `A derived attribute that can't store its value needs manual repair`(place: TestPlace) async throws {
        let raw = try await makeDepots(place)
        let full = try name(.full, raw)
        try raw.execute(["UPDATE parcel SET pieces = \(Int64.max) WHERE label = 'a' OR label = 'b'"])
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .differences, "\(done.output)\(done.problems)")
        #expect(done.output.contains("pieceSum can't hold the sum of parcels.pieces"), "\(done.output)")
        #expect(findings() == ["derived,\(full),pieceSum,is not the sum of parcels.pieces"])
        #expect(try raw.count("SELECT most_pieces FROM depot WHERE title = 'Éire'") == .max)
        #expect(try raw.count("SELECT piece_sum FROM depot WHERE title = 'Éire'") == 6)
    }

    // MARK: Batches

    @Test(arguments: TestPlace.available)
    func `Each object is compared, whatever the batch size`(place: TestPlace) async throws {
        let raw = try await makeDepots(place)
        try raw.execute(["UPDATE parcel SET depot_title = 'x'", "UPDATE depot SET piece_sum = 77"])
        try bench.tool.store(nil, config: nil).read("derived") { session, model in
            for maxBatchSize in 1...4 {
                for (name, count) in [("Depot", 3), ("Parcel", 3), ("Crate", 2)] {
                    let entity = try #require(model.layout(named: name))
                    var comparison = try #require(
                        try DerivedComparison(entity, in: model, maxBatchSize: maxBatchSize))
                    let keys = try KeyChunks(entity, session, size: 1).all
                    let found = try comparison.differences(keys, session)
                    #expect(found.map(\.key) == keys && keys.count == count)
                }
            }
            let region = try #require(model.layout(named: "Region"))
            let none = try DerivedComparison(region, in: model, maxBatchSize: 1)
            #expect(none == nil)
        }
    }
}
