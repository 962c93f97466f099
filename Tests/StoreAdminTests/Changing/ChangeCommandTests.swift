import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Changes of objects by documents, on every backend.
struct ChangeCommandTests {
    @Test(arguments: TestPlace.available)
    func `Values of every type are saved in the form that get prints`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        let values = [
            "born": #""2026-08-01T12:00:00.250000Z""#, "extra": #"{"a":[1,null,"x"]}"#, "isCaptain": "true",
            "link": #""https://example.com/a""#, "name": #""Édith ß""#, "photo": #""AAEC""#, "ratio": "0.1",
            "role": #""goal""#, "salary": "12.5", "score": "7",
            "token": #""6F1B2C7E-0000-4000-8000-000000000001""#,
        ]
        let set = values.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        try club.save(
            #"{"insert": "Player", "as": "p", "set": {\#(set)}}, {"insert": "Team", "as": "t", "set": {"name": "A", "place": {"city": "Rome", "zip": 12}}}"#
        )
        var player = try club.get("p")
        for (name, value) in values { #expect(player[name]?.text == value, "\(name)") }
        #expect(player["lowerName"] == .string("édith ß"))
        #expect(try club.get("t")["place.city"] == .string("Rome"))

        let cleared = values.keys.filter { !["name", "isCaptain", "score"].contains($0) }
        let nulls = cleared.map { "\"\($0)\": null" }.joined(separator: ", ")
        let saved = try club.save(
            #"{"update": "$p", "set": {\#(nulls)}}, {"update": "$t", "set": {"place.zip": null}}"#)
        #expect(saved.texts("updated", "object") == [try club.object("p"), try club.object("t")])
        player = try club.get("p")
        for name in cleared { #expect(player[name] == .null, "\(name)") }
        let team = try club.get("t")
        #expect(team["place.city"] == .string("Rome") && team["place.zip"] == .null)
        // A composite as a whole replaces all parts.
        try club.save(#"{"update": "$t", "set": {"place.zip": 5}}"#)
        try club.save(#"{"update": "$t", "set": {"place": {"city": "Bonn"}}}"#)
        #expect(try club.get("t")["place.city"] == .string("Bonn"))
        #expect(try club.get("t")["place.zip"] == .null)
        try club.save(#"{"update": "$t", "set": {"place": null}}"#)
        #expect(try club.get("t")["place.city"] == .null)
    }

    @Test(arguments: TestPlace.available)
    func `Changes refer to insertions that follow, and to each other`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        let outcome = try club.save(
            """
            {"insert": "Player", "as": "ann", "set": {"name": "Ann", "team": "red", "mentor": "bob", "skills": ["run", "dive"]}},
            {"insert": "Player", "as": "bob", "set": {"name": "Bob", "mentor": "ann"}},
            {"insert": "Skill", "as": "dive", "set": {"name": "dive"}}, {"insert": "Skill", "as": "run", "set": {"name": "run"}},
            {"insert": "Team", "as": "red", "set": {"name": "Red", "players": ["ann", "bob"], "sponsors": ["s"]}},
            {"insert": "Sponsor", "as": "s", "set": {"name": "S"}}
            """)
        #expect(outcome.document["saved"] == .bool(true))
        #expect(outcome.texts("inserted", "as") == ["ann", "bob", "dive", "run", "red", "s"])
        let (ann, bob) = (try club.key("ann"), try club.key("bob"))
        let team = try club.get("red")
        #expect(Set(team["players"]?.elements ?? []) == [.int(ann), .int(bob)])
        #expect(team["playerCount"] == .int(2))
        #expect(team["sponsors"] == .array([.int(try club.key("s"))]))
        #expect(try club.get("ann")["mentor"] == .int(bob))
        #expect(try club.get("bob")["mentor"] == .int(ann))
        #expect(
            try club.get("ann")["skills"] == .array([.int(try club.key("run")), .int(try club.key("dive"))]))
    }

    @Test(arguments: TestPlace.available)
    func `Members are replaced, added and removed, and inverses and derived values follow`(place: TestPlace)
        throws
    {
        let club = try ChangedClub(place)
        try club.save(
            """
            {"insert": "Team", "as": "red", "set": {"name": "Red", "players": ["ann", "bob"]}},
            {"insert": "Team", "as": "blue", "set": {"name": "Blue"}},
            {"insert": "Player", "as": "ann", "set": {"name": "Ann"}}, {"insert": "Player", "as": "bob", "set": {"name": "Bob"}},
            {"insert": "Player", "as": "cem", "set": {"name": "Cem"}},
            {"insert": "Sponsor", "as": "s", "set": {"name": "S"}}
            """)
        let blue = try club.version("blue")
        let outcome = try club.save(
            #"{"update": "$blue", "add": {"players": ["$ann", "$cem"], "sponsors": ["$s"]}}, {"update": "$red", "remove": {"players": ["$bob"]}}"#
        )
        #expect(try club.get("red")["playerCount"] == .int(0))
        #expect(try club.get("blue")["playerCount"] == .int(2))
        #expect(try club.get("bob")["team"] == .null)
        #expect(try club.get("ann")["team"] == .int(try club.key("blue")))
        #expect(try club.get("s")["teams"] == .array([.int(try club.key("blue"))]))
        // The objects that the document names come first, and the members that changed with them follow.
        let updated = outcome.texts("updated", "object").compactMap(\.self)
        #expect(updated.prefix(2) == [try club.object("blue"), try club.object("red")][...])
        #expect(Set(updated).isSuperset(of: try ["ann", "bob", "cem"].map(club.object)))
        let version = try club.version("blue")
        #expect(version > blue)
        #expect(outcome.document["updated"].elements?.first?["version"] == .int(version))

        try club.save(#"{"update": "$red", "set": {"players": ["$cem"]}}"#)
        #expect(try club.get("red")["players"] == .array([.int(try club.key("cem"))]))
        #expect(try club.get("blue")["players"] == .array([.int(try club.key("ann"))]))
        try club.save(
            #"{"update": "$red", "set": {"players": []}}, {"update": "$ann", "set": {"team": null}}"#)
        #expect(try club.get("cem")["team"] == .null)
        #expect(try club.get("blue")["playerCount"] == .int(0))
    }

    // MARK: Conflicts

    @Test(arguments: TestPlace.available)
    func `An older version is a conflict with three values, and a newer one resolves it`(place: TestPlace)
        throws
    {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Player", "as": "ann", "set": {"name": "Ann", "score": 1}}"#)
        let seen = try club.version("ann")
        try club.save(#"{"update": "$ann", "version": \#(seen), "set": {"score": 7, "role": "goal"}}"#)
        let text =
            #"{"changes": [{"update": "$ann", "version": \#(seen), "set": {"score": 5}, "base": {"score": 1, "role": null, "name": "Ann"}}, {"insert": "Team", "set": {"name": "Lost"}}]}"#
        for words in [[], ["--dry-run"]] {
            let outcome = try words.isEmpty ? club.change(text) : club.change(text, words[0])
            #expect(outcome.exit == .failure)
            #expect(outcome.document["saved"] == .bool(false))
            #expect(outcome.document["ok"] == .bool(false))
            let conflicts = try #require(outcome.document["conflicts"].elements)
            #expect(conflicts.count == 1)
            #expect(
                conflicts.first?.text
                    == #"{"deleted":false,"object":"\#(try club.object("ann"))","place":"changes[0]","properties":[{"base":1,"mine":5,"name":"score","theirs":7},{"base":null,"mine":null,"name":"role","theirs":"goal"}],"version":\#(seen + 1)}"#
            )
        }
        #expect(try club.count("Team") == 0)
        #expect(try club.get("ann")["score"] == .int(7))
        try club.save(#"{"update": "$ann", "version": \#(seen + 1), "set": {"score": 5}}"#)
        #expect(try club.get("ann")["score"] == .int(5))
        try club.save(#"{"update": "$ann", "set": {"score": 6}}"#)
    }

    @Test(arguments: TestPlace.available)
    func `References and members in a conflict are keys`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        try club.save(
            """
            {"insert": "Team", "as": "red", "set": {"name": "Red", "players": ["ann", "bob"]}},
            {"insert": "Player", "as": "ann", "set": {"name": "Ann"}}, {"insert": "Player", "as": "bob", "set": {"name": "Bob"}}
            """)
        let seen = try club.version("red")
        try club.save(#"{"update": "$red", "set": {"name": "Crimson"}}"#)
        let outcome = try club.change(
            #"{"changes": [{"update": "$red", "version": \#(seen), "add": {"players": ["new"]}, "remove": {"players": ["$ann"]}}, {"insert": "Player", "as": "new", "set": {"name": "N"}}]}"#
        )
        let (ann, bob) = (try club.key("ann"), try club.key("bob"))
        let property = outcome.document["conflicts"].elements?.first?["properties"].elements?.first
        #expect(property?["name"] == .string("players"))
        #expect(property?["mine"] == .array([.int(bob), .string("new")]))
        #expect(Set(property?["theirs"].elements ?? []) == [.int(ann), .int(bob)])
    }

    @Test(arguments: TestPlace.available)
    func `A deleted object is a conflict if a version was seen, and a failure otherwise`(place: TestPlace)
        throws
    {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Player", "as": "ann", "set": {"name": "Ann"}}"#)
        let seen = try club.version("ann")
        try club.save(#"{"delete": "$ann", "version": \#(seen)}"#)
        for change in [
            #"{"update": "$ann", "version": \#(seen), "set": {"score": 5}}"#,
            #"{"delete": "$ann", "version": \#(seen)}"#,
        ] {
            let outcome = try club.change(#"{"changes": [\#(change)]}"#)
            #expect(outcome.exit == .failure)
            let conflict = outcome.document["conflicts"].elements?.first
            #expect(conflict?["deleted"] == .bool(true) && conflict?["version"] == .null)
        }
        let outcome = try club.change(#"{"changes": [{"update": "$ann", "set": {"score": 5}}]}"#)
        #expect(outcome.exit == .badData)
        #expect(outcome.texts("failures", "message") == ["does not exist"])
    }

    /// The block of a program that loses the race on a server runs again, and must then compare the versions again.
    @Test(arguments: TestPlace.available)
    func `Of changes that are made at once from one version, one is saved and the others conflict`(
        place: TestPlace
    ) throws {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Player", "as": "ann", "set": {"name": "Ann"}}"#)
        let store = try club.bench.tool.store(nil, config: nil)
        let model = try store.model()
        let (player, seen) = (try club.object("ann"), try club.version("ann"))
        let results = Guarded<[Result<ChangeOutcome, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            let text = """
                {"changes": [{"update": "\(player)", "version": \(seen), "set": {"score": \(number + 1)}}, \
                {"insert": "Skill", "set": {"name": "\(number)", "player": "\(player)"}}]}
                """
            let result = Result<ChangeOutcome, any Error> {
                let request = try ChangeReader.request(Data(text.utf8), model: model, source: "changes")
                return try ChangeRun(request: request).run(on: store, model)
            }
            results.withLock { $0.append(result) }
        }
        let outcomes = try results.withLock { $0 }.map { try $0.get() }
        #expect(outcomes.count == 4 && outcomes.count(where: \.isSaved) == 1)
        for lost in outcomes where !lost.isSaved {
            #expect(lost.conflicts.map(\.version) == [Int64(seen + 1)], "\(lost)")
            #expect(lost.failures.isEmpty && lost.inserted.isEmpty && lost.updated.isEmpty)
        }
        #expect(try club.version("ann") == seen + 1)
        #expect(try club.count("Skill") == 1)
    }

    // MARK: Failures

    @Test(arguments: TestPlace.available)
    func `All failures of a save are reported with their places, and nothing is saved`(place: TestPlace)
        throws
    {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Player", "as": "ann", "set": {"name": "Ann"}}"#)
        let outcome = try club.change(
            """
            {"changes": [{"update": "$ann", "set": {"score": -1, "role": "back", "born": "yesterday"}},
            {"insert": "Player", "as": "bob", "set": {"score": 40000, "team": "Team:99"}},
            {"insert": "Team", "set": {"name": "A", "place": {"city": "Constantinople"}}},
            {"insert": "Team", "as": "t", "set": {"name": "", "place": {"zip": "x"}}}]}
            """)
        #expect(outcome.exit == .badData)
        #expect(outcome.document["saved"] == .bool(false))
        let failures = outcome.document["failures"].elements ?? []
        let places = Set(failures.compactMap { $0["place"].stringValue })
        #expect(
            places == [
                "changes[0].set.score", "changes[0].set.role", "changes[0].set.born", "changes[1]",
                "changes[1].set.score", "changes[1].set.team", "changes[2].set.place.city",
                "changes[3].set.name", "changes[3].set.place.zip",
            ], "\(failures.map(\.text))")
        let subjects = Set(failures.compactMap { $0["object"].stringValue })
        #expect(subjects == [try club.object("ann"), "bob", "changes[2]", "t"])
        let required = failures.first { $0["place"] == .string("changes[1]") }
        #expect(required?["property"] == .string("name"))
        #expect(required?["message"] == .string("must have a value"))
        let form = failures.first { $0["place"] == .string("changes[0].set.born") }
        #expect(form?["message"].stringValue?.hasPrefix("must be a string with a date") == true)
        #expect(try club.count("Team") == 0)
        #expect(try club.count("Player") == 1)
    }

    @Test(arguments: TestPlace.available)
    func `The URI of an object of another store is a failure`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Player", "as": "ann", "set": {"name": "Ann"}}"#)
        let uri = "contextcore://6F1B2C7E-0000-4000-8000-000000000001/Player/\(try club.key("ann"))"
        let outcome = try club.change(#"{"changes": [{"update": "\#(uri)", "set": {"score": 1}}]}"#)
        #expect(outcome.exit == .badData)
        #expect(outcome.texts("failures", "object") == [uri])
        #expect(outcome.texts("failures", "place") == ["changes[0].update"])
        #expect(try club.get("ann")["score"] == .int(0))

        // Its version and its key say nothing about the objects of this store.
        for key in [try club.key("ann"), 99] {
            let other = "contextcore://6F1B2C7E-0000-4000-8000-000000000001/Player/\(key)"
            let outcome = try club.change(
                #"{"changes": [{"update": "\#(other)", "version": 7, "set": {"mentor": "\#(other)"}}, {"delete": "Team:99"}]}"#
            )
            #expect(outcome.exit == .badData)
            #expect(outcome.document["conflicts"] == .array([]))
            #expect(outcome.texts("failures", "place") == ["changes[0].update", "changes[0].set.mentor"])
            #expect(Set(outcome.texts("failures", "message")) == ["is an object of another store"])
        }
    }

    @Test(arguments: TestPlace.available)
    func `Duplicates are failures, of stored objects and of the same document`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        try club.save(#"{"insert": "Team", "as": "red", "set": {"name": "Red"}}"#)
        for words in ["--dry-run", "--quiet"] {
            let outcome = try club.change(
                #"{"changes": [{"insert": "Team", "as": "other", "set": {"name": "Red"}}]}"#, words)
            #expect(outcome.exit == .badData)
            #expect(
                outcome.document["failures"].text
                    == #"[{"message":"must be unique, and \#(try club.object("red")) has the same value","object":"other","place":"changes[0].set.name","property":"name"}]"#
            )
        }
        let outcome = try club.change(
            #"{"changes": [{"insert": "Team", "as": "a", "set": {"name": "B"}}, {"insert": "Team", "as": "b", "set": {"name": "B"}}]}"#
        )
        #expect(outcome.exit == .badData)
        #expect(outcome.texts("failures", "object") == ["b"])
        #expect(outcome.texts("failures", "message").first??.contains("and a has the same value") == true)
        #expect(try club.count("Team") == 1)
    }

    @Test(arguments: TestPlace.available)
    func `A deletion that a rule denies is a failure`(place: TestPlace) throws {
        let club = try ChangedClub(place)
        try club.save(
            #"{"insert": "League", "as": "l", "set": {"name": "L", "teams": ["t"]}}, {"insert": "Team", "as": "t", "set": {"name": "T"}}"#
        )
        for words in ["--dry-run", "--quiet"] {
            let outcome = try club.change(#"{"changes": [{"delete": "$l"}]}"#, words)
            #expect(outcome.exit == .badData)
            #expect(outcome.texts("failures", "property") == ["teams"])
            #expect(
                outcome.texts("failures", "message") == [
                    "can't be deleted: 1 Team object still refers to it (teams)"
                ])
        }
        try club.save(#"{"delete": "$l"}, {"update": "$t", "set": {"league": null}}"#)
        #expect(try club.count("League") == 0)
    }
}
