import ContextCore
import Testing

@testable import StoreAdmin

/// Copies, samples, exports and backups of stores whose relationships were broken by SQL.
struct BrokenSourceTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let model = """
        {"entities":{\
        "Book":{"superentity":"Item"},\
        "Category":{"relationships":{"best":{"inverse":"bestOf","optional":true,"to":"Product"},\
        "products":{"inverse":"categories","to":"Product","toMany":true}},"superentity":"Section"},\
        "Desk":{"attributes":{"number":{"type":"int16"}},\
        "relationships":{"owner":{"inverse":"desk","optional":true,"to":"Person"}}},\
        "Item":{"attributes":{"name":{"type":"string"}}},\
        "Person":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"desk":{"inverse":"owner","optional":true,"to":"Desk"}}},\
        "Product":{"relationships":{"bestOf":{"inverse":"best","to":"Category","toMany":true},\
        "categories":{"inverse":"products","to":"Category","toMany":true}},"superentity":"Item"},\
        "Section":{"attributes":{"name":{"type":"string"}}},\
        "Topic":{"superentity":"Section"}},"format":1}
        """

    private static let objects = """
        {"entity":"Book","id":1,"to":{},"values":{"name":"Dune"},"version":1}
        {"entity":"Product","id":2,"to":{},"values":{"name":"Lamp"},"version":1}
        {"entity":"Category","id":1,"to":{"products":[2]},"values":{"name":"Home"},"version":1}
        {"entity":"Topic","id":2,"to":{},"values":{"name":"History"},"version":1}
        {"entity":"Person","id":1,"to":{"desk":1},"values":{"name":"Ann"},"version":1}
        {"entity":"Person","id":2,"to":{},"values":{"name":"Bob"},"version":1}
        {"entity":"Desk","id":1,"to":{"owner":1},"values":{"number":1},"version":1}

        """

    /// Creates a store, under the name `library`, damages it, and names two other stores, `copy` and `sample`.
    private func makeLibrary(_ place: TestPlace, broken statement: String) throws {
        let names = ["library", "copy", "sample"]
        for name in names { bench.variables[name.uppercased()] = place.freshURL() }
        let stores = names.map { #""\#($0)": {"url": {"env": "\#($0.uppercased())"}}"# }
        try bench.write(#"{"stores": {\#(stores.joined(separator: ", "))}}"#, to: "storectl.json")
        try bench.write(
            "{\"model\":\(Self.model),\"schema\":\"storectl.export/1\"}\n" + Self.objects, to: "library.jsonl"
        )
        try succeed("data", "import", "library.jsonl", "-s", "library")
        #expect(bench.run("check", "-s", "library").output == "no problems found\n")
        try succeed("sql", "--write", statement, "-s", "library")
        #expect(bench.run("check", "-s", "library").exit == .differences)
    }

    private func succeed(_ words: String...) throws {
        let outcome = bench.run(words)
        try #require(outcome.exit == .success, "\(words): \(outcome.output)\(outcome.problems)")
    }

    /// Expects a command to fail with an error that names an object and the repair.
    private func expectFailure(_ words: String..., naming sentence: String) {
        let outcome = bench.run(words)
        #expect(outcome.exit == .badData, "\(words): \(outcome.output)\(outcome.problems)")
        #expect(outcome.problems.contains(sentence), "\(words): \(outcome.problems)")
        #expect(outcome.problems.contains("storectl check --repair"), "\(words): \(outcome.problems)")
    }

    /// Repairs the store, and expects the copy to continue.
    private func repairAndCopy() throws {
        try succeed("check", "--repair", "--yes", "-s", "library")
        try succeed("data", "copy", "library", "copy", "--resume")
        #expect(bench.run("check", "-s", "copy").output == "no problems found\n")
    }

    @Test(arguments: TestPlace.available, ["best", "products"])
    func `A reference or a link to an object of a wrong entity is named, and can be repaired`(
        place: TestPlace, property: String
    ) throws {
        try makeLibrary(
            place,
            broken: property == "best"
                ? "UPDATE section SET best_id = 1 WHERE _id = 1"
                : "INSERT INTO category_products (category_id, product_id) VALUES (1, 1)")
        let sentence =
            "Category:1 refers by \(property) to an object that does not exist, or is not an object of Product."
        expectFailure("data", "copy", "library", "copy", naming: sentence)
        expectFailure("data", "sample", "library", "sample", naming: sentence)
        if place == .postgres {
            expectFailure("backup", "create", "-s", "library", "--out", "kept.sqlite", naming: sentence)
        }
        // An export contains the reference or the link, and its import is rejected.
        try succeed("data", "export", "-s", "library", "--out", "broken.jsonl")
        expectFailure("data", "import", "broken.jsonl", "-s", "sqlite:new.sqlite", naming: sentence)
        try repairAndCopy()
    }

    @Test(arguments: TestPlace.available)
    func `A link of an object that doesn't have the relationship is not lost silently`(place: TestPlace)
        throws
    {
        try makeLibrary(
            place,
            broken: "UPDATE section SET _entity = (SELECT _entity FROM section WHERE _id = 2) WHERE _id = 1")
        let sentence = "Topic:1 has links of Category.products, but is not an object of Category."
        expectFailure("data", "copy", "library", "copy", naming: sentence)
        expectFailure("data", "sample", "library", "sample", naming: sentence)
        if place == .postgres {
            expectFailure("backup", "create", "-s", "library", "--out", "kept.sqlite", naming: sentence)
        }
        expectFailure("data", "export", "-s", "library", "--out", "broken.jsonl", naming: sentence)
        expectFailure(
            "data", "export", "--entity", "Category", "-s", "library", "--out", "broken.jsonl",
            naming: sentence)
        try succeed("data", "export", "--entity", "Topic", "-s", "library", "--out", "topics.jsonl")
        try repairAndCopy()
    }

    @Test(arguments: TestPlace.available)
    func `Two ends of a one-to-one relationship that disagree are copied`(place: TestPlace) throws {
        try makeLibrary(place, broken: "UPDATE desk SET owner_id = 2 WHERE _id = 1")
        try succeed("data", "copy", "library", "copy")
        let found = bench.run("check", "-s", "library", "-o", "csv").output
        #expect(found.contains("Desk:1"), "\(found)")
        #expect(bench.run("check", "-s", "copy", "-o", "csv").output == found)
    }
}
