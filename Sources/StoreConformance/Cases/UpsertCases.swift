import ContextCore
import Foundation

extension Topic {
    /// Batch insertions that update or leave out the objects with the same unique values.
    static let upserts: Topic = Topic("upserts") {
        Requirement("An upsert inserts new objects and updates those with the same unique value") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.write("make") { context in
                let seat = Seat(in: context, hall: "A", row: 1, number: 1, code: "x")
                try context.save()
                let result = try context.upsert(Seat.self, matching: \.code, from: ["x", "y", "z"]) {
                    [.set(\.code, to: $0), .set(\.hall, to: "B"), .set(\.number, to: 7)]
                }
                try expectEqual(result.updated, [seat.objectID], "The updated objects")
                try expectEqual(result.inserted.count, 2, "The number of inserted objects")
                try expect(seat.hall == "B" && seat.number == 7, "The registered object follows")
                try expect(seat.row == 1 && seat.code == "x", "It keeps what the rows don't assign")
            }
            try await rules.expectSeats(["B-7y", "B-7z", "B17x"])
        }
        Requirement("A compound constraint matches by all of its values, and null matches nothing") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.fillSeats()
            let rows: [(hall: String, row: Int?, number: Int)] = [
                ("A", 1, 1), ("A", 2, 1), ("B", 1, 1), ("A", nil, 1), ("A", nil, 1),
            ]
            let result = try await rules.write("upsert") { context in
                try context.upsert(Seat.self, matching: \.number, \.hall, \.row, from: rows) {
                    [
                        .set(\.hall, to: $0.hall), .set(\.row, to: $0.row), .set(\.number, to: $0.number),
                        .set(\.code, to: nil as String?),
                    ]
                }
            }
            try expectEqual(
                [result.inserted.count, result.updated.count], [4, 1], "The inserted and updated seats")
            try await rules.expectSeats([
                "A-1-", "A-1-", "A11-", "A12c2", "A13c3", "A21-", "B11-",
            ])
        }
        Requirement("Rows of a batch with the same unique value are applied one after the other") { run in
            let clubs = try await run.open(ClubModel.classes)
            let result = try await clubs.write("upsert") { context in
                _ = Member(in: context, email: "b", name: "Bob")
                try context.save()
                return try context.batchInsert(
                    Member.self, from: ["a1", "b2", "a3", "b4", "c5"],
                    onConflict: .update(matching: \.email, setting: \.score)
                ) {
                    [
                        .set(\.email, to: String($0.prefix(1))), .set(\.name, to: $0),
                        .set(\.score, to: Int($0.suffix(1)) ?? 0),
                    ]
                }
            }
            try expectEqual(
                [result.inserted.count, result.updated.count], [2, 1], "The inserted and updated members")
            try await clubs.expectMembers(["a a1 3", "b Bob 4", "c c5 5"])
        }
        Requirement("Rows that assign different properties set those only") { run in
            let clubs = try await run.open(ClubModel.classes)
            try await clubs.write("upsert") { context in
                for email in ["a", "b"] { _ = Member(in: context, email: email, name: "old", score: 9) }
                try context.save()
                let rows: [[PropertyAssignment]] = [
                    [.set("email", to: "a"), .set("name", to: "new")],
                    [.set("email", to: "b"), .set("score", to: 1)],
                    [.set("score", to: 2), .set("email", to: "c")],
                    [.set("email", to: "d")],
                ]
                let result = try context.upsert("Member", matching: ["email"], rows)
                try expectEqual(
                    [result.inserted.count, result.updated.count], [2, 2], "The inserted and updated members")
            }
            try await clubs.expectMembers(["a new 9", "b old 1", "c nobody 2", "d nobody 5"])
        }
        Requirement("Ignoring leaves out the rows that violate any unique constraint") { run in
            let rules = try await run.open(RuleModel.classes)
            try await rules.fillSeats()
            let rows: [(hall: String, number: Int, code: String?)] = [
                ("A", 1, "new"), ("B", 1, "c2"), ("C", 1, "x"), ("C", 1, "y"), ("D", 1, "x"), ("E", 1, nil),
            ]
            let result = try await rules.write("insert") { context in
                try context.batchInsert(Seat.self, from: rows, onConflict: .ignore) {
                    [
                        .set(\.hall, to: $0.hall), .set(\.row, to: 1), .set(\.number, to: $0.number),
                        .set(\.code, to: $0.code),
                    ]
                }
            }
            try expectEqual(
                [result.inserted.count, result.updated.count, result.unchangedCount], [2, 0, 4],
                "The inserted, updated and ignored rows")
            try await rules.expectSeats(["A11c1", "A12c2", "A13c3", "C11x", "E11-"])
            try await expectError(.duplicate) {
                try await rules.write("error") { context in
                    try context.batchInsert(Seat.self, from: ["c1"], onConflict: .error) {
                        [.set(\.hall, to: "Z"), .set(\.number, to: 1), .set(\.code, to: $0)]
                    }
                }
            }
        }
        Requirement("An upsert of one object returns it, and says whether it is new") { run in
            let clubs = try await run.open(ClubModel.classes)
            try await clubs.write("upsert") { context in
                let (ann, isNew) = try context.upsert(
                    Member.self, matching: \.email, with: .set(\.email, to: "a"), .set(\.name, to: "Ann"))
                try expect(isNew && ann.name == "Ann" && ann.score == 5, "The new member")
                let (same, isNewAgain) = try context.upsert(
                    Member.self, matching: \.email, with: .set(\.email, to: "a"), .set(\.score, to: 7))
                try expect(!isNewAgain && same === ann && ann.score == 7, "The same member")
                let (unchanged, _) = try context.upsert(
                    Member.self, matching: \.email, with: .set(\.email, to: "a"), .set(\.score, to: 7))
                try expect(unchanged === ann, "The unchanged member")
            }
        }
    }
}

extension Store {
    /// Makes three seats of hall A.
    fileprivate func fillSeats() async throws {
        try await write("fill") { context in
            for number in 1...3 {
                _ = Seat(in: context, hall: "A", row: 1, number: number, code: "c\(number)")
            }
        }
    }

    /// Expects seats, each as its hall, row, number and code.
    fileprivate func expectSeats(_ seats: [String], file: String = #fileID, line: Int = #line) async throws {
        let found = try await read("seats") { context in
            try context.find(Seat.self).map { seat in
                "\(seat.hall)\(seat.row.map(String.init) ?? "-")\(seat.number)\(seat.code ?? "-")"
            }
        }
        try expectEqual(found.sorted(), seats, "The seats", file: file, line: line)
    }

    /// Expects members, each as its email, name and score.
    func expectMembers(_ members: [String], file: String = #fileID, line: Int = #line) async throws {
        let found = try await read("members") { context in
            try context.find(Member.self, order: "email").map { "\($0.email) \($0.name) \($0.score)" }
        }
        try expectEqual(found, members, "The members", file: file, line: line)
    }
}
