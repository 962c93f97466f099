import ContextCore
import Foundation

extension Topic {
    /// How much of the history is kept, and for whom.
    static let retention: Topic = Topic("retention") {
        Promise("The history is kept by age and by number", requires: .history) { trial in
            let store = try await trial.open()
            for number in 1...6 {
                if number == 4 { try await Task.sleep(for: .milliseconds(300)) }
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history()
            try expectEqual(all.map(\.contextName), (1...6).map { "\($0)" }, "All that was saved")
            let kept = try await store.pruneHistory(keeping: HistoryRetention(age: .seconds(86_400)))
            try expect(kept == nil, "Nothing is old enough to be forgotten")
            // However long it takes: what is older than the age before is gone, and what is younger after is there.
            let age = Date.now.timeIntervalSince(all[3].date) + 0.15
            let before = Date.now
            try await store.pruneHistory(
                keeping: HistoryRetention(age: .seconds(age), transactions: 1000))
            let after = Date.now
            let left = Set(try await store.history().map(\.token))
            for transaction in all {
                let isThere = left.contains(transaction.token)
                if transaction.date < before - age { try expect(!isThere, "What is too old is forgotten") }
                if transaction.date > after - age { try expect(isThere, "What is young enough is kept") }
            }
            try expect(left.count < 4, "What was saved before the pause is forgotten")
            try await store.pruneHistory(keeping: HistoryRetention(transactions: 2))
            try expectEqual(try await store.history().map(\.contextName), ["5", "6"], "The newest two")
            try await expectError(.historyExpired) { try await store.history(after: all[0].token) }
            try await store.write("7") { _ = Game(in: $0, title: "7") }
            try expectEqual(
                try await store.history(after: all[5].token).map(\.contextName), ["7"], "What comes later")
        }
        Promise("What a registered consumer has not read is kept, until it is forgotten", requires: .history)
        {
            trial in
            let store = try await trial.open()
            for number in 1...4 {
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history().map(\.token)
            try await store.setUserInfo(["note": "mine"])
            try await store.noteHistory(isReadThrough: all[0], by: "index")
            try await store.noteHistory(isReadThrough: all[3], by: "mail")
            try await store.noteHistory(isReadThrough: all[1], by: "index")
            try await store.noteHistory(isReadThrough: all[0], by: "index")
            try expectEqual(
                try await store.historyConsumers(), ["index": all[1], "mail": all[3]], "The consumers")
            try expectEqual(try await store.metadata().userInfo, ["note": "mine"], "The program's notes")
            try await store.setUserInfo(["note": "other"])
            try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expectEqual(
                try await store.history(after: all[1]).map(\.token), [all[2], all[3]],
                "What index has not read")
            try await expectError(.historyExpired) { try await store.history(after: all[0]) }
            try await store.removeHistoryConsumer("index")
            try expectEqual(
                try await store.historyConsumers(), ["mail": all[3]], "The consumers that are left")
            try await store.pruneHistory(keeping: HistoryRetention())
            try expectEqual(try await store.history().count, 0, "What nobody has to read any more")
            try expectEqual(
                try await store.metadata().userInfo, ["note": "other"], "The program's notes at last")
        }
        Promise("A consumer goes on where it was, and begins at the present moment", requires: .history) {
            trial in
            let store = try await trial.open()
            for number in 1...3 {
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history().map(\.token)
            try expectEqual(try await store.registerHistoryConsumer("index"), all[2], "Where it begins")
            try await store.write("4") { _ = Game(in: $0, title: "4") }
            let forgotten = try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expectEqual(forgotten, all[2], "The moment that the history begins after")
            let again = try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expect(again == nil, "Nothing is left to be forgotten")
            let new = try await store.history(after: try await store.registerHistoryConsumer("index"))
            try expectEqual(new.map(\.contextName), ["4"], "What it has not read")
            let last = try require(new.last?.token, "A transaction")
            try await store.noteHistory(isReadThrough: last, by: "index")
            try await store.noteHistory(isReadThrough: all[2], by: "index")
            try expectEqual(try await store.historyConsumers(), ["index": last], "It doesn't go back")
            let future = StoreToken(storeID: last.storeID, sequence: last.sequence + 1)
            try await expectError(.unsupportedRequest) {
                try await store.noteHistory(isReadThrough: future, by: "index")
            }
            try await expectError(.unsupportedRequest) {
                try await store.setUserInfo(["history.consumer.index": "1"])
            }
        }
        Promise("Consumers that are noted at once are all noted", requires: .history) { trial in
            let store = try await trial.open()
            try await store.write("one") { _ = Game(in: $0, title: "one") }
            let token = try require(try await store.history().last?.token, "A transaction")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { try await store.noteHistory(isReadThrough: token, by: "\(number)") }
                    group.addTask { try await store.write("w") { _ = Game(in: $0, title: "g\(number)") } }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await store.historyConsumers().count, 20, "The consumers")
        }
    }
}
