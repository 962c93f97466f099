import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The results of `check --repair` for stores that were damaged by SQL.
struct CheckRepairTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let model = """
        {"entities":{\
        "Badge":{"relationships":{"holder":{"inverse":"badge","to":"Person"}}},\
        "Book":{"superentity":"Item"},\
        "Category":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"products":{"inverse":"categories","to":"Product","toMany":true}}},\
        "Clip":{"attributes":{"image":{"external":10,"optional":true,"type":"data"},\
        "name":{"type":"string"},"text":{"external":10,"type":"string"}}},\
        "Desk":{"relationships":{"owner":{"inverse":"desk","optional":true,"to":"Person"}}},\
        "Item":{"attributes":{"name":{"type":"string"}}},\
        "Person":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"badge":{"inverse":"holder","optional":true,"to":"Badge"},\
        "desk":{"inverse":"owner","optional":true,"to":"Desk"},\
        "friends":{"inverse":"friends","to":"Person","toMany":true},\
        "mentor":{"inverse":"pupils","optional":true,"to":"Person"},\
        "pupils":{"inverse":"mentor","ordered":true,"to":"Person","toMany":true}}},\
        "Product":{"relationships":{"categories":{"inverse":"products","to":"Category","toMany":true}},\
        "superentity":"Item"}},"format":1}
        """

    private static let objects = """
        {"entity":"Badge","id":1,"to":{"holder":1},"values":{},"version":1}
        {"entity":"Badge","id":2,"to":{"holder":2},"values":{},"version":1}
        {"entity":"Book","id":1,"to":{},"values":{"name":"Dune"},"version":1}
        {"entity":"Category","id":1,"to":{"products":[2,3]},"values":{"name":"Home"},"version":1}
        {"entity":"Clip","id":1,"to":{},"values":{"image":"AAECAwQFBgcICQoL","name":"a","text":"a text that is long"},"version":1}
        {"entity":"Clip","id":2,"to":{},"values":{"image":"AAECAwQFBgcICQoL","name":"b","text":"short"},"version":1}
        {"entity":"Clip","id":3,"to":{},"values":{"image":"AAECAwQFBgcICQoL","name":"c","text":"short"},"version":1}
        {"entity":"Desk","id":1,"to":{"owner":1},"values":{},"version":1}
        {"entity":"Desk","id":2,"to":{},"values":{},"version":1}
        {"entity":"Person","id":1,"to":{"badge":1,"desk":1,"friends":[2],"pupils":[3,2]},"values":{"name":"Ann"},"version":1}
        {"entity":"Person","id":2,"to":{"badge":2,"friends":[1],"mentor":1},"values":{"name":"Bob"},"version":1}
        {"entity":"Person","id":3,"to":{"mentor":1},"values":{"name":"Cid"},"version":1}
        {"entity":"Product","id":2,"to":{},"values":{"name":"Lamp"},"version":1}
        {"entity":"Product","id":3,"to":{},"values":{"name":"Pen"},"version":1}

        """

    /// Creates a valid store under the name `library`, and damages it.
    private func makeLibrary(
        _ place: TestPlace, _ model: String = model, _ objects: String = objects, broken statements: [String]
    ) throws -> RawStore {
        let url = place.freshURL()
        bench.variables["LIBRARY"] = url
        try bench.write(
            #"{"default": "library", "stores": {"library": {"url": {"env": "LIBRARY"}}}}"#,
            to: "storectl.json")
        try bench.write(
            "{\"model\":\(model),\"schema\":\"storectl.export/1\"}\n" + objects, to: "all.jsonl")
        let made = bench.run("data", "import", "all.jsonl")
        try #require(made.exit == .success, "\(made.problems)")
        #expect(bench.run("check").output == "no problems found\n")
        let raw = try RawStore(url, in: bench.folder)
        try raw.execute(statements)
        return raw
    }

    /// Returns the planned repairs, and the digest of the plan.
    private func plan(_ words: String...) throws -> (lines: Set<String>, digest: String) {
        let document = try bench.json(["check", "--repair"] + words)
        guard case .array(let rows)? = document["rows"], case .string(let digest)? = document["digest"] else {
            return ([], "")
        }
        let lines = rows.map { row in
            guard case .object(let members) = row else { return "" }
            return ["kind", "object", "property", "repair"].map {
                if case .string(let text)? = members[$0] { text } else { "" }
            }.joined(separator: " ")
        }
        return (Set(lines), digest)
    }

    private func state() -> String { bench.run("data", "checksum", "--json").output }

    private func newestChanges() throws -> String {
        let document = try bench.json("history", "list", "--limit", "1")
        return document["rows"]?.text ?? ""
    }

    private func newestSave() throws -> String? {
        guard case .array(let rows)? = try bench.json("history", "list", "--limit", "1")["rows"],
            case .object(let row)? = rows.first, case .number(let save)? = row["save"]
        else { return nil }
        return save
    }

    // MARK: References and links

    @Test(arguments: TestPlace.available)
    func `Dangling references and links are removed, and a required one is reported`(place: TestPlace) throws
    {
        let raw = try makeLibrary(
            place,
            broken: [
                "UPDATE person SET mentor_id = 99 WHERE _id = 3",
                "INSERT INTO category_products (category_id, product_id) VALUES (1, 98), (97, 2), (96, 95)",
                "UPDATE item SET _entity = (SELECT _entity FROM item WHERE _id = 1) WHERE _id = 3",
                "UPDATE badge SET holder_id = 94 WHERE _id = 2",
                "UPDATE person SET badge_id = NULL WHERE _id = 2",
            ])
        let before = state()
        let (lines, digest) = try plan()
        #expect(
            lines == [
                "orphans Person:3 mentor mentor is cleared",
                "orphans Category:1 products the link is removed",
                "orphans Product:2 categories the link is removed",
                "orphans Category:96 products the link is removed",
                "orphans Badge:2 holder none: holder must refer to an object; set it to one, or delete Badge:2",
            ])
        let shown = bench.run("check", "--repair")
        #expect(shown.exit == .refused)
        #expect(shown.output.contains("storectl backup create") && shown.output.contains("--plan \(digest)"))
        #expect(bench.run("check", "--repair", "--dry-run").exit == .differences)
        #expect(bench.run("check", "--repair", "--plan", "0000").exit == .refused)
        #expect(state() == before)

        let done = bench.run("check", "--repair", "--plan", digest)
        #expect(done.exit == .differences, "\(done.problems)")
        #expect(done.output.contains(" left.\n") && done.output.contains("Badge:2"), "\(done.output)")
        #expect(bench.run("check", "--only", "orphans", "-o", "csv").output.contains("Badge:2"))
        #expect(try raw.count("SELECT count(*) FROM category_products") == 1)
        #expect(try raw.count("SELECT count(*) FROM person WHERE mentor_id = 99") == 0)
        let changes = try newestChanges()
        #expect(changes.contains("storectl check"), "\(changes)")
        #expect(try raw.count("SELECT _version FROM person WHERE _id = 3") == 2)
    }

    // MARK: Inverses

    @Test(arguments: TestPlace.available)
    func `Two ends that disagree are made equal, and the plan has the choice`(place: TestPlace) throws {
        let raw = try makeLibrary(
            place,
            broken: [
                "UPDATE desk SET owner_id = 2 WHERE _id = 1", "UPDATE person SET desk_id = 2 WHERE _id = 3",
                "DELETE FROM person_friends WHERE person_id = 2",
                "UPDATE person SET badge_id = 2 WHERE _id = 3",
                "UPDATE person SET badge_id = NULL WHERE _id = 2",
            ])
        #expect(
            try plan().lines == [
                "inverses Desk:1 owner Person:2 desk is set to Desk:1",
                "inverses Person:1 desk desk is cleared",
                "inverses Person:3 desk Desk:2 owner is set to Person:3",
                "inverses Person:1 friends Person:2 is linked to Person:1 too",
                // A badge requires a holder, so its own reference takes precedence.
                "inverses Badge:2 holder Person:2 badge is set to Badge:2",
                "inverses Person:3 badge badge is cleared",
            ])
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .success, "\(done.output)\(done.problems)")
        #expect(done.output.hasSuffix("The repair is done. No problems are left.\n"))
        #expect(try raw.count("SELECT desk_id FROM person WHERE _id = 2") == 1)
        #expect(try raw.count("SELECT owner_id FROM desk WHERE _id = 2") == 3)
        #expect(try raw.count("SELECT badge_id FROM person WHERE _id = 2") == 2)
        #expect(try raw.count("SELECT count(*) FROM person_friends") == 2)
        #expect(bench.run("check", "--repair").output == "no problems found\n")
    }

    @Test(arguments: TestPlace.available)
    func `Members at one position get separate positions, in order`(place: TestPlace) throws {
        _ = try makeLibrary(place, broken: ["UPDATE person SET mentor_order = 7 WHERE mentor_id = 1"])
        #expect(bench.run("check", "--repair", "--yes").exit == .success)
        let ann = bench.run("get", "Person:1", "--json").output
        #expect(ann.contains("pupils"), "\(ann)")
        #expect(bench.run("check").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `Links with equal positions at the inverse get separate positions too`(place: TestPlace) throws {
        let model = Self.model.replacing(
            #""friends":{"inverse":"friends","#, with: #""friends":{"inverse":"friends","ordered":true,"#)
        let objects = Self.objects.replacing(
            #""friends":[1],"mentor":1"#, with: #""friends":[1,3],"mentor":1"#
        )
        .replacing(
            #""to":{"mentor":1},"values":{"name":"Cid"}"#,
            with: #""to":{"friends":[1,2],"mentor":1},"values":{"name":"Cid"}"#
        )
        .replacing(#""friends":[2]"#, with: #""friends":[2,3]"#)
        _ = try makeLibrary(
            place, model, objects, broken: ["DELETE FROM person_friends WHERE person_id = 3"])
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .success, "\(done.output)\(done.problems)")
    }

    // MARK: Values outside of rows

    @Test(arguments: TestPlace.available)
    func `Check finds inconsistent external values, and repairs some of them`(place: TestPlace) throws {
        let raw = try makeLibrary(
            place,
            broken: [
                "DELETE FROM clip_image WHERE _owner = 1", "DELETE FROM clip_text WHERE _owner = 1",
                "UPDATE clip_image SET _stamp = 41 WHERE _owner = 2",
                "UPDATE clip SET image_external = NULL WHERE _id = 3",
                "INSERT INTO clip_image SELECT 77, 1, _value FROM clip_image WHERE _owner = 2",
                "INSERT INTO clip_text VALUES (2, 1, 'a text that is left over')",
            ])
        let found = bench.run("check", "--only", "external", "-o", "csv")
        #expect(found.exit == .differences, "\(found.problems)")
        let lines = found.output.split(whereSeparator: \.isNewline).dropFirst()
        #expect(
            Set(lines.map { $0.replacing("\"", with: "") })
                == [
                    "external,Clip:1,image,has an external value according to its row, but the value is missing",
                    "external,Clip:1,text,has an external value according to its row, but the value is missing",
                    "external,Clip:2,image,has an external value of a version other than the one that its row names",
                    "external,Clip:3,image,has an external value, but no reference to it in its row",
                    "external,Clip:77,image,has an external value, but the object does not exist",
                    "external,Clip:2,text,has its value in its row, but also the remains of an older external value",
                ])
        let before = try #require(try bench.json("get", "Clip:2")["properties"])
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .differences, "\(done.problems)")
        #expect(done.output.contains("delete Clip:1"), "\(done.output)")
        let left = bench.run("check", "--only", "external", "-o", "csv").output
        #expect(left.split(whereSeparator: \.isNewline).count == 2 && left.contains("Clip:1,text"), "\(left)")
        #expect(try bench.json("get", "Clip:2")["properties"] == before)
        #expect(try raw.count("SELECT count(*) FROM clip_image") == 2)
        #expect(try raw.count("SELECT count(*) FROM clip_text") == 0)
        #expect(try raw.count("SELECT image_external FROM clip WHERE _id = 2") == 41)
        #expect(try raw.count("SELECT _version FROM clip WHERE _id = 1") == 2)
        // Contexts have read nil: the new version makes their saves conflict, and the history contains the change of the value.
        #expect(try raw.count("SELECT _version FROM clip WHERE _id = 3") == 2)
        #expect(try raw.count("SELECT image_external FROM clip WHERE _id = 3") == 2)
        let save = try #require(try newestSave())
        let change = bench.run("history", "show", save).output
        #expect(change.contains("Clip:3") && !change.contains("Clip:2"), "\(change)")
    }

    @Test func `Rows of other entities don't count toward a limit`() throws {
        _ = try makeLibrary(
            .sqlite,
            broken: [
                "INSERT INTO category_products (category_id, product_id) VALUES (96, 95)",
                "INSERT INTO person_friends VALUES (92, 91)",
            ])
        let found = bench.run("check", "--only", "orphans", "--entity", "Person", "-n", "1")
        #expect(found.exit == .differences && found.output.contains("Person:92"), "\(found.output)")
    }

    @Test(arguments: TestPlace.available)
    func `Positions at the end of the range are handled`(place: TestPlace) throws {
        _ = try makeLibrary(
            place, broken: ["UPDATE person SET mentor_order = \(Int64.max) WHERE mentor_id = 1"])
        let done = bench.run("check", "--repair", "--yes")
        #expect(done.exit == .success, "\(done.problems)")
        #expect(bench.run("check").exit == .success)
    }

    // MARK: Approval

    @Test func `A terminal user confirms, and a production store requires its name`() throws {
        _ = try makeLibrary(.sqlite, broken: ["UPDATE person SET mentor_id = 99 WHERE _id = 3"])
        bench.isTerminal = true
        bench.lines = ["n"]
        let refused = bench.run("check", "--repair")
        #expect(refused.exit == .refused)
        #expect(refused.problems.contains("Repair library? [y/N]") && refused.problems.contains("Person:3"))
        bench.isTerminal = false
        try bench.write(
            #"{"stores": {"library": {"url": {"env": "LIBRARY"}, "production": true}}}"#, to: "storectl.json")
        #expect(
            bench.run("check", "--repair", "-s", "library").output.contains(" --confirm library."))
        #expect(bench.run("check", "--repair", "--yes", "-s", "library").exit == .refused)
        // The command doesn't prompt for a confirmation that a production store would refuse.
        bench.isTerminal = true
        let unconfirmed = bench.run("check", "--repair", "-s", "library")
        #expect(unconfirmed.exit == .refused && !unconfirmed.problems.contains("[y/N]"))
        #expect(unconfirmed.output.contains(" --confirm library."))
        bench.isTerminal = false
        #expect(bench.run("check", "-s", "library").exit == .differences)
        let done = bench.run("check", "--repair", "--yes", "-s", "library", "--confirm", "library")
        #expect(done.exit == .success, "\(done.problems)")
    }

    @Test(arguments: [["--entity", "Person"], ["-n", "3"]])
    func `A repair covers the whole store`(words: [String]) throws {
        #expect(bench.run(["check", "--repair", "-s", "sqlite:none.sqlite"] + words).exit == .usage)
    }

    @Test(arguments: [["--yes"], ["--plan", "0f"], ["--dry-run"], ["--confirm", "a"]])
    func `Options of a repair are rejected without it`(words: [String]) throws {
        let outcome = bench.run(["check", "-s", "sqlite:none.sqlite"] + words)
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.contains("--repair"), "\(outcome.problems)")
    }
}

/// The matching of objects in a one-to-one relationship.
struct OneToOnePairsTests {
    private typealias Member = OneToOnePairs.Member

    private static func pairs(
        _ first: [Int64: Int64], _ second: [Int64: Int64], required: Set<Int> = []
    ) -> OneToOnePairs {
        var references: [Member: Member] = [:]
        for (key, target) in first { references[Member(end: 0, key: key)] = Member(end: 1, key: target) }
        for (key, target) in second { references[Member(end: 1, key: key)] = Member(end: 0, key: target) }
        return OneToOnePairs(references) { required.contains($0) }
    }

    @Test func `Objects that refer to each other stay together`() {
        let pairs = Self.pairs([1: 1, 2: 1, 3: 1], [1: 3])
        #expect(pairs.partners[Member(end: 0, key: 3)] == Member(end: 1, key: 1))
        #expect(pairs.changed == [Member(end: 0, key: 1), Member(end: 0, key: 2)])
    }

    @Test func `A reference that only one end has is completed`() {
        let pairs = Self.pairs([2: 5, 1: 5], [:])
        #expect(pairs.partners[Member(end: 1, key: 5)] == Member(end: 0, key: 1))
        #expect(pairs.changed == [Member(end: 0, key: 2), Member(end: 1, key: 5)])
    }

    @Test func `References that are required take precedence`() {
        let pairs = Self.pairs([1: 7], [7: 2], required: [1])
        #expect(pairs.partners[Member(end: 1, key: 7)] == Member(end: 0, key: 2))
        #expect(pairs.changed == [Member(end: 0, key: 1), Member(end: 0, key: 2)])
    }

    @Test func `After the repair, all inverses agree, whatever the damage`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var references: [Member: Member] = [:]
            for _ in 0..<12 {
                let end = Int.random(in: 0...1, using: &random)
                references[Member(end: end, key: .random(in: 1...6, using: &random))] =
                    Member(end: 1 - end, key: .random(in: 1...6, using: &random))
            }
            let pairs = OneToOnePairs(references) { _ in false }
            for (member, partner) in pairs.partners { #expect(pairs.partners[partner] == member) }
            for (member, target) in references where pairs.partners[member] == nil {
                #expect(pairs.partners[target] != nil, "\(member) could have kept \(target)")
            }
        }
    }
}
