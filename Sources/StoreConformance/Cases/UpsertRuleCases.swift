import ContextCore
import Foundation

extension Topic {
    /// Versions, conflicts and derived attributes of upserts.
    static let upsertRules: Topic = Topic("upserts") {
        Requirement(
            "An upsert increases versions and writes the history, but not for unchanged rows",
            requires: .history
        ) { run in
            let harness = try run.harness()
            var stored = ChangeSet()
            stored.inserts = [try harness.seats([(1, "a"), (2, "b")])]
            let before = try harness.save(stored)
            func row(_ key: Int64, _ code: String, _ hall: String) -> (Int64, [String: StoredValue]) {
                (key, ["hall": .string(hall), "number": .int(key), "code": .string(code)])
            }
            let receipt = try harness.perform(
                "Seat",
                .upsert(
                    [row(11, "a", "A"), row(12, "b", "Z"), row(13, "c", "Z")], matching: ["code"],
                    setting: ["hall"]))
            try expectEqual(receipt.conflicts, [], "The conflicts")
            try expectEqual(
                receipt.changes.map { "\($0.kind.rawValue) \($0.key) \($0.changedProperties)" },
                ["update 2 [\"hall\"]", "insert 13 []"], "The changes")
            try expectEqual(receipt.unchangedRows, 1, "The unchanged rows")
            let history = try harness.read { try $0.history(HistoryRequest(after: before)) }
            try expectEqual(history.map(\.changes), [receipt.changes], "The history")
            try expectEqual(history.map(\.author), ["batch"], "The author")
            try expectEqual(try harness.versions(of: [1, 2, 13], "Seat"), [1, 2, 2], "The versions")
            let next = try harness.write {
                try $0.reserveKeys(1, rootIndex: try harness.layout("Seat").rootIndex)
            }.result
            try expect(next.lowerBound > 13, "Keys of inserted rows are not reserved again")
        }
        Requirement("A row that violates another unique constraint makes the upsert fail as a whole") { run in
            let harness = try run.harness()
            var stored = ChangeSet()
            stored.inserts = [try harness.seats([(1, "a"), (2, "b")])]
            try harness.save(stored)
            let seat = try harness.layout("Seat").index
            let receipt = try harness.perform(
                "Seat",
                .upsert(
                    [
                        (
                            11,
                            ["hall": .string("N"), "row": .int(1), "number": .int(1), "code": .string("a")]
                        ),
                        (
                            12,
                            ["hall": .string("A"), "row": .int(1), "number": .int(9), "code": .string("c")]
                        ),
                        (
                            13,
                            ["hall": .string("A"), "row": .int(1), "number": .int(9), "code": .string("d")]
                        ),
                    ], matching: ["code"], setting: ["hall", "row", "number"]))
            try expectEqual(
                receipt.conflicts.map(\.key), [12, 13], "The rows with conflicts")
            try expectEqual(
                receipt.conflicts.first,
                RowConflict(
                    entityIndex: seat, key: 12,
                    reason: .duplicate(constraint: ["hall", "row", "number"], otherKey: 13)),
                "The first conflict")
            try AggregateHarness(harness: harness).expect(
                ["code"], of: "Seat", order: "code", is: [[.string("a")], [.string("b")]])
        }
        Requirement("An upsert can swap values of another unique constraint") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("swap") { context in
                for number in 1...2 {
                    _ = Seat(in: context, hall: "A", row: 1, number: number, code: "\(number)")
                }
                try context.save()
                try context.upsert(Seat.self, matching: \.code, from: 1...2) {
                    [
                        .set(\.code, to: "\($0)"), .set(\.hall, to: "A"), .set(\.row, to: 1),
                        .set(\.number, to: 3 - $0),
                    ]
                }
                try expectEqual(
                    try context.find(Seat.self, order: "code").map(\.number), [2, 1], "The numbers")
            }
        }
        Requirement("An upsert updates objects of subentities, and rejects those of other entities") { run in
            let office = try await run.open(OfficeModel.classes)
            try await office.write("papers") { context in
                let letter = Letter(in: context, sender: "Ann")
                (letter.number, letter.code) = (1, "L")
                let bill = Bill(in: context, amount: 5)
                (bill.number, bill.code) = (2, "B")
                try context.save()
                let papers = try context.upsert(Paper.self, matching: \.number, from: 1...3) {
                    [.set(\.number, to: $0), .set(\.code, to: "new \($0)")]
                }
                try expectEqual(
                    Set(papers.updated), [letter.objectID, bill.objectID], "The updated papers")
                try expectEqual(papers.inserted.count, 1, "The number of new papers")
                try expect(letter.code == "new 1" && letter.sender == "Ann", "The letter stays a letter")
                let error = try expectError(.duplicate) {
                    try context.upsert(Letter.self, matching: \.number, from: [1, 2]) {
                        [.set(\.number, to: $0), .set(\.sender, to: "Bob")]
                    }
                }
                try expectEqual(
                    error.conflicts.map(\.kind),
                    [.duplicate(properties: ["number"], other: bill.objectID)], "The conflicts")
                try expectEqual(letter.sender, "Ann", "The sender")
                let letters = try context.upsert(Letter.self, matching: \.code, from: ["new 1", "new 2"]) {
                    [.set(\.code, to: $0), .set(\.number, to: $0 == "new 1" ? 1 : 20)]
                }
                // The bill has the same code, but the constraint covers letters only.
                try expectEqual(
                    [letters.inserted.count, letters.updated.count, letters.unchangedCount], [1, 0, 1],
                    "The inserted, updated and unchanged letters")
            }
        }
        Requirement("An upsert applies the size limit of a subentity's index") { run in
            let notices = try await run.open(NoticeModel.classes)
            try await notices.write("make") { context in
                let notice = LongNotice(in: context, summary: String(repeating: "s", count: 1_500))
                (notice.number, notice.title) = (1, "short")
            }
            func upsert(_ length: Int) async throws {
                try await notices.write("upsert") { context in
                    try context.upsert(Notice.self, matching: \.number, from: [1, 2]) {
                        [.set(\.number, to: $0), .set(\.title, to: String(repeating: "t", count: length))]
                    }
                }
            }
            try await expectError(.unsupportedRequest) { try await upsert(1_500) }
            try await notices.read("look") { context in
                try expectEqual(try context.find(Notice.self).map(\.title), ["short"], "The titles")
            }
            try await upsert(1_000)
            try await notices.read("look") { context in
                let lengths = try context.find(Notice.self).map(\.title.count)
                try expectEqual(lengths, [1_000, 1_000], "The lengths of the titles")
            }
        }
        Requirement("Derived attributes and inverses follow an upsert") { run in
            let clubs = try await run.open(ClubModel.classes)
            try await clubs.write("upsert") { context in
                let (red, blue) = (Club(in: context, name: "red"), Club(in: context, name: "blue"))
                let ann = Member(in: context, email: "a", name: "ANN", score: 1, club: red)
                try context.save()
                try expectEqual(red.members, [ann], "The members before")
                let result = try context.upsert(Member.self, matching: \.email, from: ["a", "b", "c"]) {
                    [
                        .set(\.email, to: $0), .set(\.name, to: $0.uppercased()), .set(\.score, to: 10),
                        .set(\.club, to: blue),
                    ]
                }
                try expectEqual(
                    Set(result.updated), [ann.objectID, red.objectID, blue.objectID], "The updated objects")
                try expect(ann.plainName == "a" && ann.club === blue, "The updated member")
                try expect(red.members.isEmpty && red.size == 0 && red.total == 0, "The club that was left")
                try expect(blue.members.count == 3 && blue.size == 3 && blue.total == 30, "The joined club")
                let named = try context.upsert(Club.self, matching: \.name, from: ["blue", "green"]) {
                    [.set(\.name, to: $0)]
                }
                try expectEqual(
                    [named.inserted.count, named.updated.count, named.unchangedCount], [1, 0, 1],
                    "The inserted, updated and unchanged clubs")
                try expectEqual(blue.total, 30, "The total of the unchanged club")
            }
        }
        Requirement("Rows that get an owner by a batch become the last members of the owner's list") { run in
            let harness = try run.harness(OfficeModel.classes)
            let pages = try harness.fillBinders()
            try expectEqual(try pages.targets(of: [1, 2]), [3, 1, 2, 5, 4], "The pages of both binders")
            let moved = try harness.perform(
                "Page", .update(["binder": .int(2)]), where: "number IN {1, 3, 4}")
            try expectEqual(moved.conflicts, [], "The conflicts")
            try expectEqual(try pages.targets(of: [2]), [5, 4, 1, 3], "The pages after an update")
            let binder = try harness.layout("Binder").index
            try expectEqual(
                moved.changes.filter { $0.entityIndex == binder }.map(\.changedProperties), [["pages"]],
                "The changed properties of binders in the receipt")
            func row(_ key: Int64, _ number: Int64) -> (Int64, [String: StoredValue]) {
                (key, ["number": .int(number), "code": .string("\(number)"), "binder": .int(2)])
            }
            try harness.perform("Page", .insert([row(6, 6), row(7, 7)]))
            try expectEqual(try pages.targets(of: [2]), [5, 4, 1, 3, 6, 7], "The pages after an insertion")
            let upsert = try harness.perform(
                "Page",
                .upsert([row(11, 2), row(12, 5), row(13, 8)], matching: ["code"], setting: ["binder"]))
            try expectEqual(
                [upsert.conflicts.count, upsert.unchangedRows], [0, 1], "Conflicts, unchanged rows")
            try expectEqual(
                try pages.targets(of: [2]), [5, 4, 1, 3, 6, 7, 2, 13], "The pages after an upsert")
            try expectEqual(try pages.targets(of: [1]), [], "The pages of the other binder")
        }
        Requirement("New members of a list follow the last one, whatever the positions are") { run in
            let harness = try run.harness(OfficeModel.classes)
            let pages = try harness.fillBinders([
                (1, 3, 7_000_000), (1, 1, 7_000_000), (1, 2, 9_000_000_000), (2, 5, -3_000_000),
                (2, 4, -2_000_000),
            ])
            try expectEqual(try pages.targets(of: [1, 2]), [1, 3, 2, 5, 4], "The pages of both binders")
            func row(_ key: Int64, of binder: Int64) -> (Int64, [String: StoredValue]) {
                (key, ["number": .int(key), "code": .string("\(key)"), "binder": .int(binder)])
            }
            try harness.perform("Page", .insert([row(8, of: 1), row(7, of: 2), row(6, of: 1)]))
            try expectEqual(
                try pages.targets(of: [1, 2]), [1, 3, 2, 6, 8, 5, 4, 7], "The pages after an insertion")
            // The last page of a list and the first one move, and a page that stays is assigned too.
            try harness.perform("Page", .update(["binder": .int(2)]), where: "number IN {1, 4, 8}")
            try expectEqual(
                try pages.targets(of: [1, 2]), [3, 2, 6, 5, 4, 7, 1, 8], "The pages after an update")
            try harness.perform("Page", .insert([row(10, of: 1), row(9, of: 1)]))
            try expectEqual(
                try pages.targets(of: [1]), [3, 2, 6, 9, 10], "The pages behind a page that was moved away")
            var full = ChangeSet()
            full.links = [
                pages.change(placing: [RelatedRows.Link(owner: 2, target: 8, position: .max)])
            ]
            try harness.save(full)
            try harness.perform("Page", .insert([row(12, of: 2), row(11, of: 2)]))
            try expectEqual(
                try pages.targets(of: [2]), [5, 4, 7, 1, 8, 11, 12], "The pages behind the last position")
        }
        Requirement("A loaded list follows a batch that adds members") { run in
            let games = try await run.open(GameModel.classes)
            try await games.write("batches") { context in
                let (go, chess) = (Game(in: context, title: "Go"), Game(in: context, title: "Chess"))
                go.rounds = [1, 2].map { Round(in: context, number: $0) }
                chess.rounds = [3, 4].map { Round(in: context, number: $0) }
                try context.save()
                let result = try context.batchUpdate(
                    Round.self, where: \.number == 1, .set(\.game, to: chess))
                try expect(result.updated.contains(chess.objectID), "The list's owner is updated")
                try expectEqual(chess.rounds.map(\.number), [3, 4, 1], "The rounds with the moved one")
                try expectEqual(go.rounds.map(\.number), [2], "The rounds that stay")
                try context.batchInsert(Round.self, from: [5, 6]) {
                    [.set(\.number, to: $0), .set(\.game, to: chess)]
                }
                try expectEqual(chess.rounds.map(\.number), [3, 4, 1, 5, 6], "The rounds with new ones")
            }
            try await games.read("look") { context in
                let rounds = try context.only(Game.self, "title = 'Chess'").rounds
                try expectEqual(rounds.map(\.number), [3, 4, 1, 5, 6], "The rounds in the store")
            }
        }
        Requirement("An upsert checks references, also to a subentity") { run in
            let harness = try run.harness(OfficeModel.classes)
            var stored = ChangeSet()
            stored.inserts = [
                try harness.insertion("Letter", [(1, ["number": .int(1), "code": .string("a")])])
            ]
            try harness.save(stored)
            let letter = try harness.layout("Letter").index
            let receipt = try harness.perform(
                "Letter",
                .upsert(
                    [
                        (11, ["number": .int(1), "code": .string("a"), "keeper": .int(99)]),
                        (12, ["number": .int(2), "code": .string("b"), "keeper": .int(98)]),
                    ], matching: ["code"], setting: ["keeper", "number"]))
            try expectEqual(
                receipt.conflicts,
                [1, 12].map {
                    RowConflict(entityIndex: letter, key: $0, reason: .missingReference(property: "keeper"))
                }, "The conflicts")
        }
        Requirement("An upsert sets values that are stored outside of their rows") { run in
            let clips = try await run.open(ClipModel.classes)
            try await clips.write("upsert") { context in
                Clip(in: context, name: "a").fill(20)
                try context.save()
                let result = try context.upsert(Clip.self, matching: \.name, from: ["a", "b"]) {
                    [
                        .set(\.name, to: $0), .set(\.image, to: Clip.bytes(30)),
                        .set(\.text, to: Clip.text(30)),
                    ]
                }
                try expectEqual(
                    [result.inserted.count, result.updated.count], [1, 1], "The inserted and updated clips")
            }
            try await clips.read("look") { context in
                for clip in try context.find(Clip.self) {
                    try expect(clip.image == Clip.bytes(30) && clip.text == Clip.text(30), "The new values")
                }
                try expectEqual(
                    try context.find(Clip.self, order: "name").map(\.tags), [[Clip.text(20)], []],
                    "The values that no row assigns")
            }
        }
        Requirement("Every row of an upsert must be valid as a new object") { run in
            let clubs = try await run.open(ClubModel.classes)
            try await clubs.write("upsert") { context in
                _ = Member(in: context, email: "a", name: "Ann")
                try context.save()
                let error = try expectError(.validation) {
                    try context.upsert(Member.self, matching: \.email, from: ["a", "b"]) {
                        [.set(\.email, to: $0), .set(\.score, to: 101)]
                    }
                }
                try expectEqual(error.failures.compactMap(\.property), ["score", "score"], "The failures")
                let overridden = try expectError(.validation) {
                    try context.upsert(Member.self, matching: \.email, from: [101, 5]) {
                        [.set(\.email, to: "b"), .set(\.score, to: $0)]
                    }
                }
                try expectEqual(
                    overridden.failures.compactMap(\.property), ["score"],
                    "The failure of the overridden value")
                try expectError(.unsupportedRequest) {
                    try context.upsert(Member.self, matching: \.name, from: ["a"]) { [.set(\.name, to: $0)] }
                }
                try expectError(.unsupportedRequest) {
                    try context.upsert(Member.self, matching: \.email, from: ["a"]) { [.set(\.name, to: $0)] }
                }
            }
            try await clubs.expectMembers(["a Ann 5"])
        }
        Requirement("Other contexts follow an upsert like a save") { run in
            let clubs = try await run.open(ClubModel.classes)
            var changes = clubs.changes.makeAsyncIterator()
            let editor = clubs.makeBackgroundContext()
            let result = try await editor.perform { context in
                try context.upsert(Member.self, matching: \.email, from: ["a", "b"]) {
                    [.set(\.email, to: $0)]
                }
            }
            let first = try require(await changes.next(), "The change of the insertion")
            try expectEqual(first.inserted, result.inserted, "The inserted objects")
            let updated = try await editor.perform { context in
                try context.upsert(Member.self, matching: \.email, from: ["a", "b"]) {
                    [.set(\.email, to: $0), .set(\.score, to: $0 == "a" ? 1 : 5)]
                }.updated
            }
            let second = try require(await changes.next(), "The change of the update")
            try expectEqual(second.updated, updated, "The updated objects")
            try expectEqual(updated, [result.inserted[0]], "The changed member")
        }
    }
}

extension SessionHarness {
    /// Returns the versions of rows.
    fileprivate func versions(of keys: [Int64], _ entity: String) throws -> [Int64] {
        let rows = try read { try $0.rows(keys, entityIndex: try layout(entity).index) }
        let versions = Dictionary(
            uniqueKeysWithValues: (0..<rows.count).map { (rows.key(at: $0), rows.version(at: $0)) })
        return keys.map { versions[$0] ?? -1 }
    }
}

extension SessionHarness {
    /// Makes two binders, with the pages 3, 1, 2 and 5, 4 unless other positions are given, and returns their relationship.
    fileprivate func fillBinders(
        _ places: [(owner: Int64, target: Int64, position: Int64)] = [
            (1, 3, 0), (1, 1, 10), (1, 2, 20), (2, 5, 30), (2, 4, 40),
        ]
    ) throws -> LinkHarness {
        let pages = try relationship("pages", of: "Binder")
        var stored = ChangeSet()
        stored.inserts = [
            try insertion("Binder", [(1, ["name": .string("red")]), (2, ["name": .string("blue")])]),
            try insertion(
                "Page",
                (1...5).map {
                    ($0, ["number": .int($0), "code": .string("\($0)"), "binder": .int($0 <= 3 ? 1 : 2)])
                }),
        ]
        stored.links = [
            pages.change(
                placing: places.map {
                    RelatedRows.Link(owner: $0.owner, target: $0.target, position: $0.position)
                })
        ]
        try save(stored)
        return pages
    }
}
