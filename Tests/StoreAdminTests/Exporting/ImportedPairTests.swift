import ContextCore
import Testing

@testable import StoreAdmin

/// Imports of one-to-one relationships of which only one side is given.
struct ImportedPairTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static let model = """
        {"entities":{\
        "Desk":{"relationships":{"owner":{"inverse":"desk","optional":true,"to":"Person"}}},\
        "Person":{"attributes":{"name":{"type":"string"}},\
        "relationships":{"desk":{"inverse":"owner","optional":true,"to":"Desk"},\
        "friends":{"inverse":"friends","to":"Person","toMany":true},\
        "spouse":{"inverse":"spouse","optional":true,"to":"Person"}}},\
        "Worker":{"superentity":"Person"}},"format":1}
        """

    private func outcome(_ objects: String...) throws -> AdminBench.Outcome {
        let lines = ["{\"model\":\(Self.model),\"schema\":\"storectl.export/1\"}"] + objects
        try bench.write(lines.joined(separator: "\n") + "\n", to: "all.jsonl")
        return bench.run("data", "import", "all.jsonl", "-s", "sqlite:new.sqlite")
    }

    private static func person(_ id: Int, _ to: String, entity: String = "Person") -> String {
        #"{"entity":"\#(entity)","id":\#(id),"to":{\#(to)},"values":{"name":"Ann"},"version":1}"#
    }

    private static func desk(_ id: Int, _ to: String) -> String {
        #"{"entity":"Desk","id":\#(id),"to":{\#(to)},"values":{},"version":1}"#
    }

    private func expectRefusal(_ outcome: AdminBench.Outcome, _ message: String) {
        #expect(outcome.exit == .badData)
        #expect(outcome.problems.contains(message), "\(outcome.problems)")
        #expect(bench.run("status", "-s", "sqlite:new.sqlite").exit == .inputMissing)
    }

    @Test func `Both ends that agree are imported`() throws {
        let outcome = try outcome(
            Self.desk(1, #""owner":1"#), Self.person(1, #""desk":1,"spouse":2"#, entity: "Worker"),
            Self.person(2, #""spouse":1"#))
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(bench.run("check", "-s", "sqlite:new.sqlite").exit == .success)
    }

    @Test func `One end alone is rejected, whichever it is`() throws {
        expectRefusal(
            try outcome(Self.desk(1, ""), Self.person(1, #""desk":1"#)),
            "all.jsonl:3: Person:1.desk refers to Desk:1, but Desk:1.owner (line 2) refers to no object.")
        expectRefusal(
            try outcome(Self.desk(1, #""owner":1"#), Self.person(1, "", entity: "Worker")),
            "all.jsonl:2: Desk:1.owner refers to Person:1, but Person:1.desk (line 3) refers to no object.")
    }

    @Test func `Ends that disagree are rejected, with both in the error`() throws {
        expectRefusal(
            try outcome(
                Self.desk(1, #""owner":2"#), Self.person(1, #""desk":1"#), Self.person(2, #""desk":1"#)),
            "all.jsonl:3: Person:1.desk refers to Desk:1, but Desk:1.owner (line 2) refers to Person:2.")
        expectRefusal(
            try outcome(Self.person(1, #""spouse":2"#), Self.person(2, #""spouse":2"#)),
            "all.jsonl:2: Person:1.spouse refers to Person:2, but Person:2.spouse (line 3) refers to Person:2."
        )
    }

    @Test func `A link of a relationship that is its own inverse may be given by one of its objects`() throws
    {
        let outcome = try outcome(Self.person(1, #""friends":[2]"#), Self.person(2, ""))
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(bench.run("check", "-s", "sqlite:new.sqlite").output == "no problems found\n")
    }
}
