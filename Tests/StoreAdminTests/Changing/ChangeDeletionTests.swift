import ContextCore
import Testing

@testable import StoreAdmin

/// Deletions by documents of changes: what delete rules do, and why.
struct ChangeDeletionTests {
    /// Creates a club with one team of two players, one of them with skills and a pupil of another team.
    private func makeClub(_ place: TestPlace) throws -> ChangedClub {
        let club = try ChangedClub(place)
        try club.save(
            """
            {"insert": "Team", "as": "red", "set": {"name": "Red", "players": ["ann", "bob"], "sponsors": ["s"]}},
            {"insert": "Player", "as": "ann", "set": {"name": "Ann", "skills": ["run", "dive"]}},
            {"insert": "Player", "as": "bob", "set": {"name": "Bob"}},
            {"insert": "Player", "as": "cem", "set": {"name": "Cem", "mentor": "ann"}},
            {"insert": "Skill", "as": "run", "set": {"name": "run"}}, {"insert": "Skill", "as": "dive", "set": {"name": "dive"}},
            {"insert": "Sponsor", "as": "s", "set": {"name": "S"}}
            """)
        return club
    }

    @Test(arguments: TestPlace.available)
    func `A deletion lists what it deletes and clears, with causes, and a dry run saves nothing`(
        place: TestPlace
    )
        throws
    {
        let club = try makeClub(place)
        let text = #"{"changes": [{"delete": "$red"}]}"#
        let dry = try club.change(text, "--dry-run")
        #expect(dry.exit == .success)
        #expect(dry.document["dryRun"] == .bool(true) && dry.document["saved"] == .bool(false))
        #expect(try club.count("Player") == 3)
        #expect(try club.count("Skill") == 2)
        let version = try club.version("red")
        let saved = try club.change(text)
        #expect(saved.document["saved"] == .bool(true))
        for outcome in [dry, saved] {
            let causes = Dictionary(
                (outcome.document["deleted"].elements ?? []).map {
                    ($0["object"].stringValue ?? "", $0["cause"].stringValue)
                }, uniquingKeysWith: { first, _ in first })
            let (red, ann) = (try club.object("red"), try club.object("ann"))
            #expect(
                causes == [
                    red: nil, ann: "cascade of \(red)", try club.object("bob"): "cascade of \(red)",
                    try club.object("run"): "cascade of \(ann)", try club.object("dive"): "cascade of \(ann)",
                ])
            #expect(outcome.texts("deleted", "object").first == red)
            let cleared = Set((outcome.document["nullified"].elements ?? []).map(\.text))
            #expect(
                cleared == [
                    #"{"cause":"deletion of \#(ann)","object":"\#(try club.object("cem"))","property":"mentor"}"#,
                    #"{"cause":"deletion of \#(red)","object":"\#(try club.object("s"))","property":"teams"}"#,
                ])
            #expect(outcome.document["counts"]["deleted"] == .int(5))
            #expect(outcome.document["counts"]["nullified"] == .int(2))
        }
        #expect(version > 0)
        #expect(try club.count("Player") == 1)
        #expect(try club.count("Skill") == 0)
        #expect(try club.get("cem")["mentor"] == .null)
    }

    @Test(arguments: TestPlace.available)
    func `An object that another change saves from a cascade is kept`(place: TestPlace) throws {
        let club = try makeClub(place)
        let outcome = try club.save(#"{"delete": "$red"}, {"update": "$ann", "set": {"team": null}}"#)
        #expect(
            Set(outcome.texts("deleted", "object")) == [try club.object("red"), try club.object("bob")])
        #expect(try club.get("ann")["team"] == .null)
    }

    @Test(arguments: TestPlace.available)
    func `An insertion below a deleted object is a failure`(place: TestPlace) throws {
        let club = try makeClub(place)
        // The player stays in the team, which is deleted, and the skill depends on the player.
        let outcome = try club.change(
            #"{"changes": [{"delete": "$red"}, {"insert": "Skill", "as": "new", "set": {"name": "n", "player": "$bob"}}]}"#
        )
        #expect(outcome.exit == .badData)
        #expect(outcome.texts("failures", "object") == ["new"])
        #expect(try club.count("Player") == 3)
    }

    /// Nothing refers to the notes but their owner, so the save deletes them without loading them.
    @Test(arguments: TestPlace.available)
    func `Dependents that are not loaded are counted, and the first thousand listed`(place: TestPlace) throws
    {
        let club = try ChangedClub(place)
        let skills = (0..<1_200).map { #"{"insert": "Skill", "set": {"name": "\#($0)", "player": "ann"}}"# }
        try club.save(
            ([#"{"insert": "Player", "as": "ann", "set": {"name": "Ann"}}"#] + skills).joined(separator: ","))
        for words in ["--dry-run", "--quiet"] {
            let outcome = try club.change(#"{"changes": [{"delete": "$ann"}]}"#, words)
            #expect(outcome.exit == .success, "\(outcome.problems)")
            #expect(outcome.document["counts"]["deleted"] == .int(1_201))
            #expect(outcome.document["deleted"].elements?.count == 1_001)
            let causes = Set(outcome.texts("deleted", "cause"))
            #expect(causes == [nil, "cascade of \(try club.object("ann"))"])
            #expect(try club.count("Skill") == (words == "--dry-run" ? 1_200 : 0))
        }
    }

    // MARK: The command

    @Test(arguments: TestPlace.available)
    func `The history has the author`(place: TestPlace) throws {
        let club = try makeClub(place)
        _ = try club.change(#"{"changes": [{"update": "$ann", "set": {"score": 3}}]}"#, "--author", "ann")
        let rows = try club.bench.json("history", "list")["rows"]?.elements ?? []
        #expect(Set(rows.map { $0["author"].stringValue }) == ["ann", ChangeRun.defaultAuthor])
        #expect(Set(rows.map { $0["context"].stringValue }) == ["change"])
    }

    @Test func `A production store needs a confirmation, except for a dry run`() throws {
        let club = try makeClub(.sqlite)
        club.bench.variables["CLUB"] = club.bench.variables.removeValue(forKey: "STORECTL_URL")
        try club.bench.write(
            #"{"default": "prod", "stores": {"prod": {"url": {"env": "CLUB"}, "production": true}}}"#,
            to: "storectl.json")
        let text = #"{"changes": [{"update": "$ann", "set": {"score": 3}}]}"#
        #expect(try club.change(text).exit == .refused)
        #expect(try club.change(text, "--dry-run").exit == .success)
        #expect(try club.get("ann")["score"] == .int(0))
        #expect(try club.change(text, "--confirm", "prod").exit == .success)
        #expect(try club.get("ann")["score"] == .int(3))
    }

    @Test func `The text names what was changed, what failed, and what conflicts`() throws {
        let club = try makeClub(.sqlite)
        func text(_ changes: String) throws -> String {
            _ = try club.change(#"{"changes": [\#(changes)]}"#, "--dry-run")
            return club.bench.run("change", "changes.json", "--dry-run").output
        }
        let deletion = try text(#"{"delete": "$red"}"#)
        #expect(deletion.hasPrefix("a save would succeed, and nothing was saved: "))
        #expect(deletion.contains("5 deleted, 2 cleared\n"))
        #expect(deletion.contains("cascade of \(try club.object("red"))"))
        let failure = try text(#"{"update": "$ann", "set": {"score": -1}}"#)
        #expect(
            failure == """
                nothing was saved: 1 failure
                  \(try club.object("ann")): score must be at least 0  changes[0].set.score

                """)
        let conflict = try text(#"{"update": "$ann", "version": 100, "set": {"score": 1}}"#)
        #expect(conflict.contains("\(try club.object("ann")) is at version \(try club.version("ann"))"))
        #expect(conflict.contains("score     null  1     0"))
    }
}
