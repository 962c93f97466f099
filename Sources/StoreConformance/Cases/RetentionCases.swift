import ContextCore
import Foundation

extension Topic {
    /// Pruning of the history, and its consumers.
    static let retention: Topic = Topic("retention") {
        Requirement("The history is pruned by age and by number of transactions", requires: .history) { run in
            let store = try await run.open()
            for number in 1...6 {
                if number == 4 { try await Task.sleep(for: .milliseconds(300)) }
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history()
            try expectEqual(all.map(\.contextName), (1...6).map { "\($0)" }, "All that was saved")
            let kept = try await store.pruneHistory(keeping: HistoryRetention(age: .seconds(86_400)))
            try expect(kept == nil, "No transaction is old enough to be removed")
            // The duration of the pruning doesn't matter: transactions too old at its start are gone, those young enough at its end stay.
            let age = Date.now.timeIntervalSince(all[3].date) + 0.15
            let before = Date.now
            try await store.pruneHistory(
                keeping: HistoryRetention(age: .seconds(age), transactions: 1000))
            let after = Date.now
            let left = Set(try await store.history().map(\.token))
            for transaction in all {
                let isThere = left.contains(transaction.token)
                if transaction.date < before - age {
                    try expect(!isThere, "A transaction that is too old is removed")
                }
                if transaction.date > after - age {
                    try expect(isThere, "A transaction that is young enough is kept")
                }
            }
            try expect(left.count < 4, "The transactions before the pause are removed")
            try await store.pruneHistory(keeping: HistoryRetention(transactions: 2))
            try expectEqual(try await store.history().map(\.contextName), ["5", "6"], "The newest two")
            try await expectError(.historyExpired) { try await store.history(after: all[0].token) }
            try await store.write("7") { _ = Game(in: $0, title: "7") }
            try expectEqual(
                try await store.history(after: all[5].token).map(\.contextName), ["7"],
                "The later transactions")
        }
        Requirement(
            "A consumer can acknowledge a change that it received without reading it", requires: .history
        ) {
            run in
            let store = try await run.open()
            var changes = store.changes.makeAsyncIterator()
            try await store.write("one") { _ = Game(in: $0, title: "one") }
            let change = try require(await changes.next(), "A change")
            try await store.acknowledgeHistory(through: change.token, by: "index")
            try expectEqual(try await store.historyConsumers(), ["index": change.token], "The consumers")
        }
        Requirement(
            "Transactions that a registered consumer has not read are kept until the consumer is removed",
            requires: .history
        ) {
            run in
            let store = try await run.open()
            for number in 1...4 {
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history().map(\.token)
            try await store.setUserInfo(["note": "mine"])
            try await store.acknowledgeHistory(through: all[0], by: "index")
            try await store.acknowledgeHistory(through: all[3], by: "mail")
            try await store.acknowledgeHistory(through: all[1], by: "index")
            try await store.acknowledgeHistory(through: all[0], by: "index")
            try expectEqual(
                try await store.historyConsumers(), ["index": all[1], "mail": all[3]], "The consumers")
            try expectEqual(try await store.metadata().userInfo, ["note": "mine"], "The program's user info")
            try await store.setUserInfo(["note": "other"])
            try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expectEqual(
                try await store.history(after: all[1]).map(\.token), [all[2], all[3]],
                "The transactions that the consumer index has not read")
            try await expectError(.historyExpired) { try await store.history(after: all[0]) }
            try await store.removeHistoryConsumer("index")
            try expectEqual(
                try await store.historyConsumers(), ["mail": all[3]], "The consumers that are left")
            try await store.pruneHistory(keeping: HistoryRetention())
            try expectEqual(
                try await store.history().count, 0, "The transactions after no consumer needs them")
            try expectEqual(
                try await store.metadata().userInfo, ["note": "other"], "The program's user info at the end")
        }
        Requirement(
            "A new consumer begins at the newest token, and a registered one continues at its own",
            requires: .history
        ) {
            run in
            let store = try await run.open()
            for number in 1...3 {
                try await store.write("\(number)") { _ = Game(in: $0, title: "\(number)") }
            }
            let all = try await store.history().map(\.token)
            try expectEqual(
                try await store.registerHistoryConsumer("index"), all[2],
                "The token at which the consumer begins")
            try await store.write("4") { _ = Game(in: $0, title: "4") }
            let forgotten = try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expectEqual(forgotten, all[2], "The token after which the history begins")
            let again = try await store.pruneHistory(keeping: HistoryRetention(transactions: 0))
            try expect(again == nil, "No transaction is left to be removed")
            let new = try await store.history(after: try await store.registerHistoryConsumer("index"))
            try expectEqual(new.map(\.contextName), ["4"], "The transactions that the consumer has not read")
            let last = try require(new.last?.token, "A transaction")
            try await store.acknowledgeHistory(through: last, by: "index")
            try await store.acknowledgeHistory(through: all[2], by: "index")
            try expectEqual(
                try await store.historyConsumers(), ["index": last], "The consumer's token doesn't move back")
            let future = StoreToken(storeID: last.storeID, sequence: last.sequence + 1)
            try await expectError(.unsupportedRequest) {
                try await store.acknowledgeHistory(through: future, by: "index")
            }
            try await expectError(.unsupportedRequest) {
                try await store.setUserInfo(["history.consumer.index": "1"])
            }
        }
        Requirement("Consumers that are registered concurrently are all kept", requires: .history) { run in
            let store = try await run.open()
            try await store.write("one") { _ = Game(in: $0, title: "one") }
            let token = try require(try await store.history().last?.token, "A transaction")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { try await store.acknowledgeHistory(through: token, by: "\(number)") }
                    group.addTask { try await store.write("w") { _ = Game(in: $0, title: "g\(number)") } }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await store.historyConsumers().count, 20, "The consumers")
        }
    }
}
