import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Documents of changes: what they mean, and the places of their errors.
struct ChangeReaderTests {
    private let model: ObjectModel

    init() throws { model = try ObjectModel(fileText: ChangedClub.model, fileName: "club") }

    private func read(_ text: String) throws -> ChangeRequest {
        try ChangeReader.request(Data(text.utf8), model: model, source: "changes.json")
    }

    /// Returns the lines of the error of a document, without the first.
    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let error as AdminError {
            #expect(error.exit == .badData && error.code == "SC3001")
            return Array(error.message.split(separator: "\n").map(String.init).dropFirst())
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `A document becomes changes with values, references and members`() throws {
        let request = try read(
            """
            {"dryRun": true, "changes": [
              {"update": "Player:12", "version": 3, "set": {"score": 5, "team": "t", "mentor": null, "born": "1 August"},
               "add": {"pupils": [3, "Player:4"]}, "base": {"score": 1, "team": "Team:2", "pupils": ["Player:5"]}},
              {"insert": "Team", "as": "t", "set": {"name": "A", "place.zip": 9}},
              {"delete": "Team:2", "version": null}]}
            """)
        #expect(request.isDry)
        let (update, insertion, deletion) = (request.changes[0], request.changes[1], request.changes[2])
        #expect(update.action == .update && update.key == 12 && update.version == 3)
        #expect(update.label == "Player:12" && update.place.description == "changes[0]")
        #expect(update.attributes.map(\.name) == ["score"] && update.attributes.map(\.value) == [.int(5)])
        #expect(update.references.map(\.target) == [.inserted(change: 1), nil])
        let player = try model.entity("Player").index
        #expect(
            update.members.map(\.targets) == [
                [.stored(entityIndex: player, key: 3), .stored(entityIndex: player, key: 4)]
            ])
        #expect(update.base == ["score": .int(1), "team": .int(2), "pupils": .array([.int(5)])])
        #expect(insertion.name == "t" && insertion.label == "t" && insertion.key == nil)
        #expect(insertion.attributes.map(\.part) == [nil, 1])
        #expect(deletion.action == .delete && deletion.version == nil)
        // A date of another form is a failure, and no error of the document.
        #expect(request.failures.map(\.place) == ["changes[0].set.born"])
        #expect(request.failures.map(\.property) == ["born"])
    }

    @Test(
        arguments: [
            (#"[]"#, "the document must be an object"),
            (#"{}"#, "the document needs “changes”"),
            (#"{"changes": {}}"#, "changes: must be an array, not an object."),
            (#"{"changes": []}"#, "changes: the array is empty."),
            (#"{"change": []}"#, "the document has no “change”: did you mean “changes”?"),
            (#"{"changes": [1]}"#, "changes[0]: must be an object, not a number."),
            (#"{"changes": [{"delete": "Team:1"}], "dryRun": 1}"#, "dryRun: must be true or false"),
            (#"{"changes": [{}]}"#, "changes[0]: needs exactly one of"),
            (#"{"changes": [{"insert": "Team", "delete": "Team:1"}]}"#, "changes[0]: needs exactly one of"),
            (#"{"changes": [{"insert": 3}]}"#, "changes[0].insert: must be a string"),
            (
                #"{"changes": [{"insert": "Taem"}]}"#,
                "changes[0].insert: the model has no entity “Taem”: did you mean Team?"
            ),
            (#"{"changes": [{"update": "Team", "set": {}}]}"#, "changes[0].update: must be an object"),
            (#"{"changes": [{"update": "Team:0", "set": {}}]}"#, "changes[0].update: must be an object"),
            (#"{"changes": [{"update": "Team:1"}]}"#, "changes[0]: the update changes nothing"),
            (#"{"changes": [{"update": "Team:1", "set": []}]}"#, "changes[0].set: must be an object"),
            (
                #"{"changes": [{"update": "Team:1", "version": "3", "set": {"name": "A"}}]}"#,
                "changes[0].version: must be a whole number"
            ),
            (
                #"{"changes": [{"update": "Team:1", "as": "t", "set": {"name": "A"}}]}"#,
                "changes[0]: the update has no “as”"
            ),
            (
                #"{"changes": [{"insert": "Team", "add": {"players": [1]}}]}"#,
                "changes[0]: the insertion has no “add”"
            ),
            (#"{"changes": [{"delete": "Team:1", "set": {}}]}"#, "changes[0]: the deletion has no “set”"),
            (
                #"{"changes": [{"insert": "Team", "as": "a:b"}]}"#, "changes[0].as: must be a name"
            ),
            (
                #"{"changes": [{"insert": "Team", "as": "a"}, {"insert": "Team", "as": "a"}]}"#,
                "changes[1].as: changes[0] has the same name “a”."
            ),
            (
                #"{"changes": [{"delete": "Team:1"}, {"update": "Team/1", "set": {"name": "A"}}]}"#,
                "changes[1].update: changes[0] changes the same object"
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"socre": 1}}]}"#,
                "changes[0].set.socre: Player has no such property: did you mean score?"
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"lowerName": "a"}}]}"#,
                "changes[0].set.lowerName: Player.lowerName is derived"
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"draft": "a"}}]}"#,
                "changes[0].set.draft: Player.draft is transient"
            ),
            (
                #"{"changes": [{"update": "Player:1", "add": {"score": 1}}]}"#,
                "changes[0].add.score: score is an attribute"
            ),
            (
                #"{"changes": [{"update": "Player:1", "add": {"team": 1}}]}"#,
                "changes[0].add.team: team is a to-one relationship"
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"players": 1}}]}"#,
                "changes[0].set.players: must be an array of objects, not a number."
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"players": [1, "Player:1"]}}]}"#,
                "changes[0].set.players[1]: the object is listed twice."
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"players": ["Team:2"]}}]}"#,
                "changes[0].set.players[0]: refers to objects of Player, not of Team."
            ),
            (
                #"{"changes": [{"update": "Team:1", "add": {"players": [1]}, "remove": {"players": [1]}}]}"#,
                "changes[0].add.players: a member is added and removed."
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"players": [1]}, "remove": {"players": [2]}}]}"#,
                "changes[0].set.players: members are added or removed too."
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"place": {}, "place.zip": 1}}]}"#,
                "changes[0].set.place.zip: place is set as a whole too."
            ),
            (
                #"{"changes": [{"update": "Team:1", "set": {"place": {"street": 1}}}]}"#,
                "changes[0].set.place.street: place has no such part."
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"team": "rad"}}, {"insert": "Team", "as": "red"}]}"#,
                "changes[0].set.team: no insertion is named “rad”: did you mean “red”?"
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"team": "p"}}, {"insert": "Player", "as": "p"}]}"#,
                "changes[0].set.team: refers to objects of Team, but “p” is of Player."
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"team": 2.5}}]}"#,
                "changes[0].set.team: must be an object, such as Team:12"
            ),
            (
                #"{"changes": [{"update": "Player:1", "set": {"team": 2}}, {"delete": "Team:2"}]}"#,
                "changes[0].set.team: Team:2 is deleted by changes[1]."
            ),
            (
                #"{"changes": [{"update": "Player:1", "base": {"x": 2}, "set": {"score": 1}}]}"#,
                "changes[0].base.x: Player has no such property"
            ),
        ])
    func `An error names its place`(text: String, problem: String) {
        let problems = problems(text)
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test func `All errors are reported at once, and many are cut`() {
        let two = problems(
            #"{"changes": [{"insert": "X"}, {"update": "Player:1", "set": {"a": 1, "draft": 2}}]}"#)
        #expect(two.count == 3)
        let changes = Array(repeating: #"{"insert": "X"}"#, count: 70).joined(separator: ",")
        let many = problems(#"{"changes": [\#(changes)]}"#)
        #expect(many.count == 51)
        #expect(many.last == "… and 20 more")
        let huge = Array(repeating: "1", count: ChangeReader.changeLimit + 1).joined(separator: ",")
        #expect(
            problems(#"{"changes": [\#(huge)]}"#) == [
                "changes: there are 10001, and 10000 fit into one save. Import many objects with 'storectl data import'."
            ])
    }

    @Test func `An error doesn't compare a name with thousands of others`() {
        let insertions = (0...1_000).map { #"{"insert": "Team", "as": "red\#($0)"}"# }.joined(separator: ",")
        #expect(
            problems(#"{"changes": [{"update": "Player:1", "set": {"team": "rad0"}}, \#(insertions)]}"#) == [
                "changes[0].set.team: no insertion is named “rad0”; a stored object is written like Team:12."
            ])
    }

    @Test func `Invalid JSON and bytes are errors with a position`() {
        for (text, message) in [
            (#"{"changes": [}"#, "changes.json:1:14: "),
            (String(repeating: "[", count: 10_000), "nested more than 128 levels deep"),
            (#"{"changes": [], "changes": []}"#, "occurs twice"),
        ] {
            let error = #expect(throws: AdminError.self) { try read(text) }
            #expect(error?.exit == .badData)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
        let error = #expect(throws: AdminError.self) {
            try ChangeReader.request(Data([0x7B, 0xFF]), model: model, source: "changes.json")
        }
        #expect(error?.message.contains("UTF-8") == true)
    }

    @Test func `A place shows a long or an odd name on one line`() {
        let place = ChangePlace.root[3].member("set").member(String(repeating: "x", count: 90))
        #expect(place.description == "changes[3].set." + String(repeating: "x", count: 80) + "…")
        #expect(ChangePlace.root.member("a\nb").description == "changes.a\\nb")
    }
}
