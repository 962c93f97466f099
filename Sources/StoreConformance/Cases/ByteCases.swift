import ContextCore

extension Topic {
    /// Texts that look alike or are equal in some collations, and that a store must distinguish.
    static let bytes: Topic = Topic("bytes") {
        Requirement("Texts that differ in a byte form separate groups") { run in
            let aggregateHarness = try run.trickyPlayers()
            try aggregateHarness.expect(
                ["nick", "@count"], by: ["nick"], order: "nick",
                is: TrickyTexts.sorted.map { [.string($0), .int(2)] })
            try aggregateHarness.expect(
                ["nick"], by: ["nick"], having: "@count != 2", order: "nick", is: [])
        }
        Requirement("Texts that differ in a byte are distinct values") { run in
            let aggregateHarness = try run.trickyPlayers()
            try aggregateHarness.expect(
                ["nick"], order: "nick", distinct: true, is: TrickyTexts.sorted.map { [.string($0)] })
        }
        Requirement(
            "A context groups values and finds distinct ones by bytes too, also among pending objects"
        ) {
            run in
            let store = try await run.open()
            let texts = TrickyTexts.sorted
            try await store.write("fill") { context in
                for text in texts { _ = Player(in: context, name: "stored", nick: text) }
            }
            try await store.makeBackgroundContext().perform { context in
                for isPending in [false, true] {
                    if isPending { for text in texts { _ = Player(in: context, name: "new", nick: text) } }
                    let groups = try context.groups(of: Player.self, by: \.nick, .count())
                    try expectEqual(
                        groups.map { StoredValue.string($0.0 ?? "") }, texts.map { .string($0) }, "The groups"
                    )
                    try expectEqual(Set(groups.map(\.1)), [isPending ? 2 : 1], "The count of each group")
                    let request = ValueRequest(
                        "Player", ["nick"], order: [try SortKey("nick")], isDistinct: true)
                    try expectEqual(
                        try context.values(request).map { $0["nick"] }, texts.map { .string($0) },
                        "The distinct values"
                    )
                }
            }
        }
        Requirement("Unique texts collide only if all their bytes are equal") { run in
            let harness = try run.harness()
            let texts = TrickyTexts.sorted.filter { $0.utf8.count < 1000 }
            var changes = ChangeSet()
            changes.inserts = [
                try harness.seats(texts.enumerated().map { (Int64($0.offset + 1), $0.element) })
            ]
            try harness.save(changes)
            var again = ChangeSet()
            again.inserts = [
                try harness.seats(texts.enumerated().map { (Int64($0.offset + 1001), $0.element) })
            ]
            let found = try harness.conflicts(of: again).map { [$0.key: $0.reason] }
            try expectEqual(
                Set(found),
                Set(
                    (1...texts.count).map {
                        [Int64($0 + 1000): .duplicate(constraint: ["code"], otherKey: Int64($0))]
                    }), "The conflicts")
        }
        Requirement("Unique texts of pending objects don't collide if they differ in a byte") { run in
            let rules = try await run.open(RuleModel.classes)
            let texts = TrickyTexts.sorted.filter { $0.utf8.count < 1000 }
            try await rules.write("make") { context in
                for (number, text) in texts.enumerated() {
                    _ = Seat(in: context, hall: "A", row: 1, number: number, code: text)
                }
            }
            let count = try await rules.read("look") { try $0.count(Seat.self) }
            try expectEqual(count, texts.count, "The seats")
        }
    }
}

extension TrickyTexts {
    /// The texts, ordered by their UTF-8 bytes.
    static var sorted: [String] {
        all.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CaseRun {
    /// Opens a coordinator with two players for each text, which is their `nick`.
    fileprivate func trickyPlayers() throws -> AggregateHarness {
        let harness = try harness(GameModel.classes)
        let texts = TrickyTexts.all
        var changes = ChangeSet()
        changes.inserts = [
            try harness.insertion(
                "Player",
                (texts + texts.reversed()).enumerated().map { number, text in
                    (
                        Int64(number + 1),
                        [
                            "name": .string("p"), "nick": .string(text), "score": .int(0),
                            "isActive": .bool(true),
                        ]
                    )
                })
        ]
        try harness.save(changes)
        return AggregateHarness(harness: harness)
    }
}
