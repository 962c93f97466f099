import ContextCore
import Testing

@testable import StoreAdmin

/// A store of teams and players, which tests change by documents, with names for the objects of earlier insertions.
final class ChangedClub {
    static let model = """
        {"entities":{\
        "League":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"teams":{"deleteRule":"deny","inverse":"league","to":"Team","toMany":true}}},\
        "Team":{"attributes":{"name":{"maximumLength":20,"minimumLength":1,"type":"string"},\
        "place":{"optional":true,"parts":{"city":{"maximumLength":10,"type":"string"},\
        "zip":{"optional":true,"type":"int32"}},"type":"composite"},\
        "playerCount":{"derived":{"count":"players"},"type":"int64"}},\
        "relationships":{"league":{"inverse":"teams","optional":true,"to":"League"},\
        "players":{"deleteRule":"cascade","inverse":"team","to":"Player","toMany":true},\
        "sponsors":{"inverse":"teams","to":"Sponsor","toMany":true}},"unique":[["name"]]},\
        "Sponsor":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"teams":{"inverse":"sponsors","to":"Team","toMany":true}}},\
        "Player":{"attributes":{"born":{"optional":true,"type":"date"},"draft":{"optional":true,"transient":true,"type":"string"},\
        "extra":{"optional":true,"type":"codable"},"isCaptain":{"default":false,"type":"bool"},\
        "link":{"optional":true,"type":"url"},"lowerName":{"derived":{"lowercased":"name"},"type":"string"},\
        "name":{"maximumLength":20,"type":"string"},"photo":{"optional":true,"type":"data"},\
        "ratio":{"optional":true,"type":"double"},\
        "role":{"optional":true,"pattern":"goal|field","type":"string"},\
        "salary":{"optional":true,"precision":10,"scale":2,"type":"decimal"},\
        "score":{"default":0,"minimum":0,"type":"int16"},"token":{"optional":true,"type":"uuid"}},\
        "relationships":{"mentor":{"inverse":"pupils","optional":true,"to":"Player"},\
        "pupils":{"inverse":"mentor","to":"Player","toMany":true},\
        "skills":{"deleteRule":"cascade","inverse":"player","ordered":true,"to":"Skill","toMany":true},\
        "team":{"inverse":"players","optional":true,"to":"Team"}}},\
        "Skill":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"player":{"inverse":"skills","to":"Player"}}}},"format":1}
        """

    let bench: AdminBench
    /// The inserted objects, such as `Player:3`, by their temporary names.
    private(set) var objects: [String: String] = [:]

    /// Creates an empty store.
    init(_ place: TestPlace) throws {
        bench = try AdminBench()
        bench.variables["STORECTL_URL"] = place.freshURL()
        try bench.write(Self.model, to: "club.json")
        let outcome = bench.run("db", "create", "--model", "club.json")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    struct Outcome {
        let document: JSONValue
        let exit: ExitCode
        let problems: String

        /// Returns a member of each element of a list.
        func texts(_ list: String, _ member: String) -> [String?] {
            (document[list].elements ?? []).map { $0[member].stringValue }
        }
    }

    /// Runs a document of changes, in which `$ann` stands for the object that was inserted as `ann`.
    func change(_ text: String, _ words: String...) throws -> Outcome {
        var text = text
        for (name, object) in objects.sorted(by: { $0.key > $1.key }) {
            text = text.replacing("$\(name)", with: object)
        }
        try bench.write(text, to: "changes.json")
        let outcome = bench.run(["change", "changes.json", "--json"] + words)
        let document = (try? JSONDocument(outcome.output)).map { JSONValue($0.root) } ?? .null
        for inserted in document["inserted"].elements ?? [] {
            if let name = inserted["as"].stringValue, let object = inserted["object"].stringValue {
                objects[name] = object
            }
        }
        return Outcome(document: document, exit: outcome.exit, problems: outcome.problems)
    }

    /// Runs changes that must succeed.
    @discardableResult
    func save(_ changes: String) throws -> Outcome {
        let outcome = try change(#"{"changes": [\#(changes)]}"#)
        try #require(outcome.exit == .success, "\(outcome.problems) \(outcome.document.text)")
        return outcome
    }

    func object(_ name: String) throws -> String { try #require(objects[name], "no object \(name)") }

    /// The key of an object.
    func key(_ name: String) throws -> Int {
        try #require(Int(try object(name).split(separator: ":").last ?? ""))
    }

    /// Returns an object as `get` prints it.
    func get(_ name: String) throws -> [String: JSONValue] {
        try bench.json("get", try object(name))["properties"]?.members ?? [:]
    }

    func version(_ name: String) throws -> Int {
        try #require(try bench.json("get", try object(name))["version"]?.intValue)
    }

    func count(_ entity: String) throws -> Int? { try bench.json("count", entity)["count"]?.intValue }
}
