import ContextCore
import Testing

@testable import StoreAdmin

/// The results of `check` and of backups for relationships that were broken by SQL.
struct BrokenRelationshipTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let model = """
        {"entities":{\
        "Book":{"superentity":"Item"},\
        "Category":{"relationships":{"products":{"inverse":"categories","to":"Product","toMany":true}},\
        "superentity":"Section"},\
        "Desk":{"attributes":{"number":{"type":"int16"}},\
        "relationships":{"owner":{"inverse":"desk","optional":true,"to":"Person"}}},\
        "Item":{"attributes":{"name":{"type":"string"}}},\
        "Person":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"desk":{"inverse":"owner","optional":true,"to":"Desk"},\
        "friends":{"inverse":"friends","to":"Person","toMany":true}}},\
        "Product":{"relationships":{"categories":{"inverse":"products","to":"Category","toMany":true}},\
        "superentity":"Item"},\
        "Section":{"attributes":{"name":{"type":"string"}}},\
        "Topic":{"superentity":"Section"}},"format":1}
        """

    private static let objects = """
        {"entity":"Book","id":1,"to":{},"values":{"name":"Dune"},"version":1}
        {"entity":"Product","id":2,"to":{},"values":{"name":"Lamp"},"version":1}
        {"entity":"Product","id":3,"to":{},"values":{"name":"Pen"},"version":1}
        {"entity":"Category","id":1,"to":{"products":[2,3]},"values":{"name":"Home"},"version":1}
        {"entity":"Topic","id":2,"to":{},"values":{"name":"History"},"version":1}
        {"entity":"Category","id":3,"to":{"products":[3]},"values":{"name":"Office"},"version":1}
        {"entity":"Person","id":1,"to":{"desk":1,"friends":[2]},"values":{"name":"Ann"},"version":1}
        {"entity":"Person","id":2,"to":{"friends":[1]},"values":{"name":"Bob"},"version":1}
        {"entity":"Desk","id":1,"to":{"owner":1},"values":{"number":1},"version":1}
        {"entity":"Desk","id":2,"to":{},"values":{"number":2},"version":1}

        """

    /// Creates a valid store, under the name `library`.
    private func makeLibrary(_ place: TestPlace) throws {
        bench.variables["LIBRARY"] = place.freshURL()
        bench.variables["SERVER"] = TestPlace.postgres.freshURL()
        try bench.write(
            #"{"stores": {"library": {"url": {"env": "LIBRARY"}}, "server": {"url": {"env": "SERVER"}}}}"#,
            to: "storectl.json")
        try bench.write(
            "{\"model\":\(Self.model),\"schema\":\"storectl.export/1\"}\n" + Self.objects, to: "library.jsonl"
        )
        try succeed("data", "import", "library.jsonl", "-s", "library")
        #expect(bench.run("check", "-s", "library").output == "no problems found\n")
    }

    private func succeed(_ words: String...) throws {
        let outcome = bench.run(words)
        try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
    }

    private func execute(_ statements: [String]) throws {
        for statement in statements { try succeed("sql", "--write", statement, "-s", "library") }
    }

    private func findings(_ kinds: String) -> Set<String> {
        let outcome = bench.run("check", "-s", "library", "--only", kinds, "-o", "csv")
        #expect(outcome.exit == .differences, "\(outcome.problems)")
        return Set(
            outcome.output.split(whereSeparator: \.isNewline).dropFirst().map {
                String($0).replacing("\"", with: "")
            })
    }

    @Test(arguments: TestPlace.available)
    func `Check finds links with one or both ends of wrong entities`(place: TestPlace) throws {
        try makeLibrary(place)
        try execute([
            "UPDATE item SET _entity = (SELECT _entity FROM item WHERE _id = 1) WHERE _id IN (2, 3)",
            "UPDATE section SET _entity = (SELECT _entity FROM section WHERE _id = 2) WHERE _id = 3",
        ])
        #expect(
            findings("orphans") == [
                "orphans,Category:1,products,is linked to Book:2, which is not an object of Product",
                "orphans,Category:1,products,is linked to Book:3, which is not an object of Product",
                "orphans,Topic:3,products,is not an object of Category, but is linked to Book:3, which is not an object of Product",
            ])
    }

    @Test(arguments: TestPlace.available)
    func `Check finds a link with an owner of a wrong entity from the correct end`(place: TestPlace) throws {
        try makeLibrary(place)
        try execute([
            "UPDATE section SET _entity = (SELECT _entity FROM section WHERE _id = 2) WHERE _id = 3"
        ])
        #expect(
            findings("orphans,inverses") == [
                "orphans,Product:3,categories,is linked to Topic:3, which is not an object of Category"
            ])
    }

    @Test(arguments: TestPlace.available)
    func `Check finds inverses that disagree`(place: TestPlace) throws {
        try makeLibrary(place)
        try execute([
            "DELETE FROM person_friends WHERE person_id = 2", "UPDATE desk SET owner_id = 2 WHERE _id = 1",
        ])
        #expect(
            findings("orphans,inverses") == [
                "inverses,Desk:1,owner,refers to Person:2, whose desk refers to no object",
                "inverses,Person:1,desk,refers to Desk:1, whose owner refers to Person:2",
                "inverses,Person:1,friends,is linked to Person:2, which isn't linked back",
            ])
    }

    @Test func `Check finds values that the attribute's type can't represent`() throws {
        try makeLibrary(.sqlite)
        try execute(["UPDATE desk SET number = 70000 WHERE _id = 2"])
        #expect(findings("types") == ["types,Desk:2,number,must fit a 16-bit integer"])
    }

    @Test func `A backup that a server would reject is made, reported, and restored into a file only`()
        throws
    {
        try makeLibrary(.sqlite)
        try succeed("backup", "create", "-s", "library", "--out", "sound.sqlite")
        try execute([
            "UPDATE item SET _entity = (SELECT _entity FROM item WHERE _id = 1) WHERE _id = 2"
        ])
        let made = bench.run("backup", "create", "-s", "library", "--out", "broken.sqlite")
        #expect(made.exit == .differences)
        #expect(!made.output.contains("verified") && made.output.contains("storectl backup verify"))
        let verified = bench.run("backup", "verify", "broken.sqlite")
        #expect(verified.exit == .differences)
        #expect(
            verified.output.contains(
                "Category:1 products is linked to Book:2, which is not an object of Product."),
            "\(verified.output)")
        #expect(bench.run("backup", "verify", "sound.sqlite").exit == .success)
        try succeed("backup", "restore", "broken.sqlite", "-s", "library", "--confirm", "library")
        guard TestPlace.server != nil else { return }
        let refused = bench.run("backup", "restore", "broken.sqlite", "-s", "server", "--confirm", "server")
        #expect(refused.exit == .badData)
        #expect(refused.problems.contains("is linked to Book:2"), "\(refused.problems)")
        try succeed("backup", "restore", "sound.sqlite", "-s", "server", "--confirm", "server")
        #expect(bench.run("check", "-s", "server").exit == .success)
    }
}
