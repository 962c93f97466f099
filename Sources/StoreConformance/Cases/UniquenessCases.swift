import ContextCore

extension Topic {
    /// Unique constraints.
    static let uniqueness: Topic = Topic("uniqueness") {
        Requirement("The error of a pending object that collides with a stored one names both") { run in
            let rules = try await run.open(RuleModel.classes)
            let stored = try await rules.write("make") { context in
                let seat = Seat(in: context, hall: "A", row: 1, number: 1, code: "x")
                try context.save()
                return seat.objectID
            }
            let editor = rules.makeBackgroundContext()
            try await editor.perform { context in
                let seat = Seat(in: context, hall: "B", row: 1, number: 1, code: "x")
                let error = try expectError(.duplicate) { try context.save() }
                try expectEqual(
                    error.conflicts.map(\.kind), [.duplicate(properties: ["code"], other: stored)],
                    "The kinds of conflicts")
                try expect(seat.isInserted, "The object is pending")
                try expect(!"\(error)".contains("x\""), "The error names no value")
            }
        }
        Requirement("Two pending objects that collide are rejected without the store") { run in
            let rules = try await run.open(RuleModel.classes)
            let editor = rules.makeBackgroundContext()
            try await editor.perform { context in
                let seats = (0..<2).map { Seat(in: context, hall: "A", row: 1, number: $0, code: "x") }
                let error = try expectError(.duplicate) { try context.save() }
                let conflict = try require(error.conflicts.first, "A conflict")
                guard case .duplicate(_, let other) = conflict.kind else {
                    throw ConformanceFailure("The conflict is no duplicate.", file: #fileID, line: #line)
                }
                try expectEqual(
                    Set([conflict.objectID, other]), Set(seats.map(\.objectID)), "The two objects")
            }
        }
        Requirement("A compound constraint is violated only if all its values are equal") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("make") { context in
                for (hall, row, number) in [("A", 1, 1), ("A", 1, 2), ("A", 2, 1), ("B", 1, 1)] {
                    _ = Seat(in: context, hall: hall, row: row, number: number)
                }
            }
            let error = try await expectError(.duplicate) {
                try await rules.write("again") { _ = Seat(in: $0, hall: "A", row: 2, number: 1) }
            }
            guard case .duplicate(let properties, _)? = error.conflicts.first?.kind else {
                throw ConformanceFailure("The conflict is no duplicate.", file: #fileID, line: #line)
            }
            try expectEqual(Set(properties), ["hall", "row", "number"], "The properties")
        }
        Requirement("Null never collides") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("make") { context in
                for _ in 0..<3 { _ = Seat(in: context, hall: "A", row: nil, number: 1) }
            }
            try await rules.write("again") { _ = Seat(in: $0, hall: "A", row: nil, number: 1) }
            let count = try await rules.read("look") { try $0.count(Seat.self) }
            try expectEqual(count, 4, "The seats")
        }
        Requirement("Texts collide by their bytes") { run in
            let rules = try await run.open(RuleModel.classes)
            let codes = ["é", "e\u{301}", "É", "a", "A", " a", "a ", ""]
            try await rules.write("make") { context in
                for (number, code) in codes.enumerated() {
                    _ = Seat(in: context, hall: "A", row: 1, number: number, code: code)
                }
            }
            for code in codes {
                try await expectError(.duplicate, "Another “\(code)”") {
                    try await rules.write("again") {
                        _ = Seat(in: $0, hall: "B", row: 1, number: 1, code: code)
                    }
                }
            }
        }
        Requirement("Two objects can swap unique values in one save, and three can rotate them") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("make") { context in
                for number in 0..<3 {
                    _ = Seat(in: context, hall: "A", row: 1, number: number, code: "\(number)")
                }
            }
            try await rules.write("move") { context in
                let seats = try context.find(Seat.self, order: "number")
                for (index, seat) in seats.enumerated() {
                    (seat.number, seat.code) = ((index + 1) % 3, "\((index + 1) % 3)")
                }
            }
            let codes = try await rules.read("look") {
                try $0.find(Seat.self).map { "\($0.number)\($0.code ?? "-")" }
            }
            try expectEqual(codes, ["11", "22", "00"], "The numbers and codes")
        }
        Requirement("A unique value can be reused once its object is deleted, also in the same save") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("make") { _ = Seat(in: $0, hall: "A", row: 1, number: 1, code: "x") }
            try await rules.write("replace") { context in
                context.delete(try context.only(Seat.self))
                _ = Seat(in: context, hall: "A", row: 1, number: 1, code: "x")
            }
            try await rules.write("give") { context in
                try context.only(Seat.self).code = nil
                _ = Seat(in: context, hall: "B", row: 1, number: 1, code: "x")
            }
            let codes = try await rules.read("look") { try $0.find(Seat.self, order: "hall").map(\.code) }
            try expectEqual(codes, [nil, "x"], "The codes")
        }
        Requirement(
            "Every store rejects a unique value that is too long for an index, and accepts the longest one"
        ) {
            run in
            let rules = try await run.open(RuleModel.classes)
            // Random letters, which a server can't compress.
            var state: UInt32 = 6
            let letters = (0..<2_601).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Character(UnicodeScalar(UInt8(97 + (state >> 16) % 26)))
            }
            let longest = String(letters.dropLast())
            try await rules.write("make") { _ = Seat(in: $0, hall: "A", row: 1, number: 1, code: longest) }
            let tooLong = String(letters)
            let error = try await expectError(.validation) {
                try await rules.write("too long") { context in
                    let seats = [tooLong, "short", String(letters.reversed())].enumerated().map {
                        Seat(in: context, hall: "A", row: 1, number: $0.offset + 2, code: $0.element)
                    }
                    let error = try expectError(.validation) { try context.save() }
                    try expectEqual(
                        error.failures.map(\.objectID), [seats[0].objectID, seats[2].objectID],
                        "The objects that are named")
                }
            }
            try expectEqual(
                error.failures.map(\.property), ["code", "code"], "The properties that are named")
            try expectEqual(
                error.failures[0].valueKind, "2601 bytes", "The size of the rejected value")
            try expect(!"\(error)".contains(tooLong), "The error names no value")
            try await expectError(.validation) {
                try await rules.write("change") { try $0.only(Seat.self).code = tooLong }
            }
            try await rules.write("nested") { context in
                let child = context.makeChild()
                let seat = try child.only(Seat.self)
                seat.code = tooLong
                let error = try expectError(.validation) { try child.save() }
                try expectEqual(error.failures.map(\.objectID), [seat.objectID], "The object that is named")
            }
            // The other columns of a compound constraint take space in the index too.
            let compound = try await expectError(.validation) {
                try await rules.write("compound") {
                    _ = Seat(in: $0, hall: String(letters.prefix(2_537)), row: 1, number: 2, code: nil)
                }
            }
            try expectEqual(
                compound.failures.map(\.rule), ["is indexed or unique, so it must have at most 2536 bytes"],
                "The rule that is broken")
            try await rules.write("compound") {
                _ = Seat(in: $0, hall: String(letters.prefix(2_536)), row: .max, number: .max, code: nil)
            }
            let found = try await rules.read("look") {
                try $0.fetch(Seat.self, where: \.code == longest).count
            }
            try expectEqual(found, 1, "The seat with the longest code")
            try await expectError(.duplicate) {
                try await rules.write("again") {
                    _ = Seat(in: $0, hall: "B", row: 1, number: 1, code: longest)
                }
            }
        }
        Requirement("A changed object collides like a new one") { run in
            let games = try await run.games()
            try await expectError(.duplicate) {
                try await games.write("rename") { try $0.only(Game.self, "title = 'Chess'").title = "Go" }
            }
            try await games.expectNames([("TRUEPREDICATE", ["Chess", "Empty", "Go"])], of: "Game")
        }
    }
}
