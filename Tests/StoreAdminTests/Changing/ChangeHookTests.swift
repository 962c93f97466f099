import ContextCore
import Testing

@testable import StoreAdmin

@Entity final class ChangedGuest: ManagedObject {
    var name: String
    var visits: Int = 0
    var greeting: String?

    override func willSave() {
        if greeting != "Hello \(name)" { greeting = "Hello \(name)" }
    }

    override func validateForUpdate() throws {
        if visits > 3 { throw StoreError(.validation, "has come too often") }
    }
}

/// Changes with an application's own tool, whose model has classes.
struct ChangeHookTests {
    @Test(arguments: TestPlace.available)
    func `The hooks of the application's classes run`(place: TestPlace) throws {
        let bench = try AdminBench()
        bench.variables["STORECTL_URL"] = place.freshURL()
        bench.model = try ObjectModel([ChangedGuest.self])
        try #require(bench.run("db", "create").exit == .success)
        try bench.write(
            #"{"changes": [{"insert": "ChangedGuest", "as": "a", "set": {"name": "Ann"}}]}"#, to: "a.json")
        #expect(bench.run("change", "a.json").exit == .success)
        let properties = try bench.json("get", "ChangedGuest:1")["properties"]
        #expect(properties?["greeting"] == .string("Hello Ann"))

        try bench.write(
            #"{"changes": [{"update": "ChangedGuest:1", "set": {"visits": 4}}]}"#, to: "b.json")
        let refused = bench.run("change", "b.json", "--json")
        #expect(refused.exit == .badData)
        #expect(refused.output.contains("has come too often"), "\(refused.output)")
        // The stock tool knows only the model.
        bench.model = nil
        #expect(bench.run("change", "b.json").exit == .success)
    }

    @Test func `A tool with another model uses that of the store`() throws {
        let bench = try AdminBench()
        _ = try bench.makeShop()
        bench.model = try ObjectModel([ChangedGuest.self])
        try bench.write(
            #"{"changes": [{"update": "Player:3", "set": {"score": 4}}]}"#, to: "changes.json")
        let outcome = bench.run("change", "changes.json")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output == "saved: 1 updated\nupdated  Player:3  version 3, score\n")
    }
}
