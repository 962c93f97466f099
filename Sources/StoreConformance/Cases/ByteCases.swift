import ContextCore

extension Topic {
    /// Texts that look alike or are equal in some collations, and that a store must distinguish.
    static let bytes: Topic = Topic("bytes") {
        Promise("Texts that differ in a byte form separate groups") { trial in
            let ledger = try trial.nastyPlayers()
            try ledger.expect(
                ["nick", "@count"], by: ["nick"], order: "nick",
                is: NastyTexts.sorted.map { [.string($0), .int(2)] })
            try ledger.expect(
                ["nick"], by: ["nick"], having: "@count != 2", order: "nick", is: [])
        }
        Promise("Texts that differ in a byte are distinct values") { trial in
            let ledger = try trial.nastyPlayers()
            try ledger.expect(
                ["nick"], order: "nick", distinct: true, is: NastyTexts.sorted.map { [.string($0)] })
        }
        Promise("A context groups values and finds distinct ones by bytes too, also among pending objects") {
            trial in
            let store = try await trial.open()
            let texts = NastyTexts.sorted
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
        Promise("Unique texts collide only if all their bytes are equal") { trial in
            let desk = try trial.desk()
            let texts = NastyTexts.sorted.filter { $0.utf8.count < 1000 }
            var changes = ChangeSet()
            changes.inserts = [
                try desk.seats(texts.enumerated().map { (Int64($0.offset + 1), $0.element) })
            ]
            try desk.save(changes)
            var again = ChangeSet()
            again.inserts = [
                try desk.seats(texts.enumerated().map { (Int64($0.offset + 1001), $0.element) })
            ]
            let found = try desk.conflicts(of: again).map { [$0.key: $0.reason] }
            try expectEqual(
                Set(found),
                Set(
                    (1...texts.count).map {
                        [Int64($0 + 1000): .duplicate(constraint: ["code"], otherKey: Int64($0))]
                    }), "The conflicts")
        }
        Promise("Unique texts of pending objects don't collide if they differ in a byte") { trial in
            let rules = try await trial.open(RuleModel.classes)
            let texts = NastyTexts.sorted.filter { $0.utf8.count < 1000 }
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

extension NastyTexts {
    /// The texts, ordered by their UTF-8 bytes.
    static var sorted: [String] {
        all.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CaseRun {
    /// Opens a coordinator with two players for each text, which is their `nick`.
    fileprivate func nastyPlayers() throws -> Ledger {
        let desk = try desk(GameModel.classes)
        let texts = NastyTexts.all
        var changes = ChangeSet()
        changes.inserts = [
            try desk.insertion(
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
        try desk.save(changes)
        return Ledger(desk: desk)
    }
}
