#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

@Entity final class Account: ManagedObject {
    var number: Int
    var balance: Int
    @Attribute(.unique) var code: String?
}

@Entity final class League: ManagedObject {
    var title: String
}

@Entity final class Round: ManagedObject {
    var title: String
    var league: League?
    @Relationship(inverse: \Score.round) var scores: Set<Score>
    @Derived(.maximum(\.scores, \.points)) var best: Int?
}

@Entity final class Score: ManagedObject {
    var points: Int
    var round: Round?
    @Derived(.copy(\.round?.title)) var roundTitle: String?
    @Derived(.copy(\.round?.league?.title)) var leagueTitle: String?
}

/// Several writers of one store: concurrent blocks of one process, and of several.
@Suite(.enabled(if: TestServer.isExpected))
struct ConcurrentWritesTests {
    private let configuration: PostgresConfiguration

    init() throws { configuration = try TestServer.freshConfiguration() }

    private func open(_ writes: StoreOptions.WriteOrder = .concurrent(limit: 4)) throws -> Store {
        let model = try ObjectModel([Account.self, League.self, Round.self, Score.self])
        return try Store(
            coordinator: PostgresCoordinator(model: model, configuration),
            options: StoreOptions(writes: writes))
    }

    private func fill(_ store: Store, accounts: Int) async throws {
        try await store.write("fill") { context in
            for number in 0..<accounts { _ = Account(in: context, number: number, balance: 0) }
        }
    }

    /// Runs blocks concurrently; in its first attempt, each waits until all others have reached the same point.
    private func runTogether(
        _ store: Store, isolation: WriteIsolation? = nil,
        _ blocks: [@Sendable (ObjectContext, _ meet: () -> Void) throws -> Void]
    ) async throws -> [Int] {
        let meeting = Meeting(blocks.count)
        return try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (place, block) in blocks.enumerated() {
                group.addTask {
                    let runs = Guarded(0)
                    try await store.write(isolation: isolation) { context in
                        let isFirst = runs.withLock { runs in
                            runs += 1
                            return runs == 1
                        }
                        try block(context) { if isFirst { meeting.arrive() } }
                    }
                    return (place, runs.withLock { $0 })
                }
            }
            return try await group.reduce(into: Array(repeating: 0, count: blocks.count)) { $0[$1.0] = $1.1 }
        }
    }

    @Test func `Blocks that change different objects run concurrently, once each`() async throws {
        let store = try open()
        try await fill(store, accounts: 4)
        let blocks = (0..<4).map { number in
            { @Sendable (context: ObjectContext, meet: () -> Void) throws in
                let account = try #require(try context.fetch(Account.self, where: \.number == number).first)
                meet()
                account.balance = number + 1
            }
        }
        #expect(try await runTogether(store, blocks) == [1, 1, 1, 1])
        let balances = try await store.read { context in
            try context.fetch(Account.self, order: .ascending(\.number)).map(\.balance)
        }
        #expect(balances == [1, 2, 3, 4])
        await store.close()
    }

    @Test
    func `Concurrent blocks that change one object are retried until each has seen the others' changes`()
        async throws
    {
        let stores = [try open(), try open(.ordered), try open(.concurrent(limit: 2))]
        try await fill(stores[0], accounts: 1)
        try await withThrowingTaskGroup { group in
            for store in stores {
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await store.write(retries: 200) { context in
                                try context.fetch(Account.self).first?.balance += 1
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].read { try $0.fetch(Account.self).first?.balance } == 120)
        #expect(try await stores[0].history().count == 121)
        for store in stores { await store.close() }
    }

    @Test func `A lane keeps its order while other writes run concurrently`() async throws {
        let store = try open()
        let order = Guarded<[Int]>([])
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                let turn = Task { @MainActor in
                    try await store.write("\(number)", lane: "one") { context in
                        order.withLock { $0.append(number) }
                        _ = Account(in: context, number: number, balance: 0)
                    }
                }
                group.addTask { try await turn.value }
            }
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 } == Array(0..<40))
        let numbers = try await store.read { context in
            try context.fetch(Account.self).map(\.number)
        }
        #expect(numbers == Array(0..<40))
        await store.close()
    }

    @Test(arguments: WriteIsolation.allCases)
    func `A rule over objects that are only read holds for serializable writes`(
        _ isolation: WriteIsolation
    ) async throws {
        let store = try open()
        try await fill(store, accounts: 2)
        try await store.write { context in
            for account in try context.fetch(Account.self) { account.balance = 10 }
        }
        // Together they may give away 10, and each checks that before it does.
        let blocks = (0..<2).map { number in
            { @Sendable (context: ObjectContext, meet: () -> Void) throws in
                let accounts = try context.fetch(Account.self, order: .ascending(\.number))
                let sum = accounts.reduce(0) { $0 + $1.balance }
                meet()
                if sum >= 20 { accounts[number].balance -= 10 }
            }
        }
        let runs = try await runTogether(store, isolation: isolation, blocks)
        let sum = try await store.read { try $0.fetch(Account.self).reduce(0) { $0 + $1.balance } }
        switch isolation {
        case .snapshot: #expect(runs == [1, 1] && sum == 0)
        case .serializable: #expect(runs.sorted() == [1, 2] && sum == 10)
        }
        await store.close()
    }

    @Test func `Serializable blocks that read and change different objects run once each`() async throws {
        let store = try open()
        try await fill(store, accounts: 3000)
        // Enough rows that they are found by an index, whose pages are then the predicate locks of the block.
        try otherProgram(configuration).execute("ANALYZE account")
        let ids = try await store.read {
            try $0.fetchIDs(FetchRequest<Account>(order: [.ascending(\.number)]))
        }
        let blocks = [ids[0], ids[1500], ids[2999]].map { id in
            { @Sendable (context: ObjectContext, meet: () -> Void) throws in
                let account = try context.object(with: id, as: Account.self)
                let balance = account.balance
                meet()
                account.balance = balance + 1
            }
        }
        #expect(try await runTogether(store, isolation: .serializable, blocks) == [1, 1, 1])
        await store.close()
    }

    @Test func `Keys that are reserved concurrently are unique`() async throws {
        let store = try open()
        let coordinator = try PostgresCoordinator(model: store.model, configuration)
        let root = try #require(coordinator.model.layout(named: "Account")).rootIndex
        let keys = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for task in 0..<6 {
                group.addTask {
                    try await OwnThread.run {
                        var keys: [Int64] = []
                        for step in 0..<30 {
                            var options = SessionOptions(identifier: "keys")
                            options.defersBegin = true
                            let session = try coordinator.openWriteSession(options)
                            keys += try session.reserveKeys(
                                [1, 600, 3, 511][(task + step) % 4], rootIndex: root)
                            session.end()
                        }
                        return keys
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(keys).count == keys.count)
        coordinator.close()
        await store.close()
    }

    @Test func `Of two concurrent saves of one unique value, the second one fails`() async throws {
        let store = try open()
        let blocks = (0..<2).map { number in
            { @Sendable (context: ObjectContext, meet: () -> Void) throws in
                if try context.count(Account.self, where: \.code == "taken") > 0 { return }
                meet()
                _ = Account(in: context, number: number, balance: 0, code: "taken")
            }
        }
        #expect(try await runTogether(store, blocks).sorted() == [1, 2])
        #expect(try await store.read { try $0.count(Account.self) } == 1)
        await store.close()
    }

    @Test func `A derived value is correct after two concurrent deletions of its sources`() async throws {
        let store = try open()
        try await store.write { context in
            let round = Round(in: context, title: "first")
            for points in [10, 20, 20] { _ = Score(in: context, points: points, round: round) }
        }
        let blocks = (0..<2).map { place in
            { @Sendable (context: ObjectContext, meet: () -> Void) throws in
                let best = try context.fetch(Score.self, where: \.points == 20)
                meet()
                if let score = best.count == 2 ? best[place] : best.first { context.delete(score) }
            }
        }
        #expect(try await runTogether(store, blocks).sorted() == [1, 2])
        #expect(try await store.read { try $0.fetch(Round.self).first?.best } == 10)
        await store.close()
    }

    @Test func `A copied value is correct if its source changes during an insertion`() async throws {
        let store = try open()
        try await store.write { context in
            _ = Score(in: context, points: 1, round: Round(in: context, title: "old"))
        }
        let runs = try await runTogether(
            store,
            [
                { context, meet in
                    let round = try #require(try context.fetch(Round.self).first)
                    meet()
                    round.title = "new"
                },
                { context, meet in
                    let round = try #require(try context.fetch(Round.self).first)
                    meet()
                    _ = Score(in: context, points: 2, round: round)
                },
            ])
        #expect(runs.sorted() == [1, 2])
        #expect(try await store.read { Set(try $0.fetch(Score.self).map(\.roundTitle)) } == ["new"])
        await store.close()
    }

    @Test func `A value copied over two relationships is correct if both change concurrently`() async throws {
        let store = try open()
        try await store.write { context in
            let round = Round(in: context, title: "round", league: League(in: context, title: "first"))
            _ = (Score(in: context, points: 1, round: round), League(in: context, title: "second"))
        }
        let runs = try await runTogether(
            store,
            [
                { context, meet in
                    let round = try #require(try context.fetch(Round.self).first)
                    let second = try context.fetch(League.self, where: \.title != "first").first
                    meet()
                    round.league = second
                },
                { context, meet in
                    let second = try context.fetch(League.self, where: \.title == "second").first
                    meet()
                    second?.title = "renamed"
                },
            ])
        #expect(runs.sorted() == [1, 2])
        #expect(try await store.read { try $0.fetch(Score.self).map(\.leagueTitle) } == ["renamed"])
        await store.close()
    }

    @Test func `A follower of many writers gets each change once, in order per object`() async throws {
        let writers = [try open(), try open(), try open(.ordered)]
        let follower = try open()
        try await fill(writers[0], accounts: 6)
        let start = try #require(try await follower.history().last?.token)
        let changes = follower.changes
        let listening = Task {
            var heard: [StoreChange] = []
            for await change in changes {
                heard.append(change)
                if change.contextName == "end" { break }
            }
            return heard
        }
        try await withThrowingTaskGroup { group in
            for (place, store) in writers.enumerated() {
                for task in 0..<4 {
                    group.addTask {
                        for step in 0..<15 {
                            try await store.write("\(place) \(task) \(step)", retries: 200) { context in
                                let number = (task + step) % 6
                                try context.fetch(Account.self, where: \.number == number).first?.balance += 1
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await writers[0].write("end") { try $0.fetch(Account.self).first?.balance += 1 }
        let transactions = try await follower.history(after: start)
        #expect(transactions.count == 181)
        #expect(Set(transactions.compactMap(\.contextName)).count == 181)
        #expect(
            zip(transactions, transactions.dropFirst()).allSatisfy { $0.token.sequence < $1.token.sequence })
        let heard = await listening.value
        #expect(heard.last?.token == transactions.last?.token)
        // A change that is visible before one with a lower number repeats the token before both.
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.token.sequence <= $1.token.sequence })
        #expect(heard.allSatisfy { $0.isComplete })
        let names = Set(transactions.map(\.contextName))
        let single = heard.filter { names.contains($0.contextName) }
        #expect(Set(single.map(\.contextName)).count == single.count, "No change is reported twice")
        // Changes that waited too long are merged and have no name.
        let isMerged = heard.contains { $0.contextName == nil }
        #expect(isMerged || single.count == transactions.count, "No change is omitted")
        for account in Set(single.flatMap(\.updated)) {
            let heardNames = single.filter { $0.updated.contains(account) }.map(\.contextName)
            let written = transactions.filter { $0.changes.contains { $0.objectID == account } }.map(
                \.contextName)
            #expect(
                heardNames == written.filter { heardNames.contains($0) },
                "Changes of one object come in order")
        }
        for store in writers + [follower] { await store.close() }
    }

    @Test func `A block sees what another process saved before its call, even in a shared group`()
        async throws
    {
        let (here, there) = (try open(.ordered), try open(.ordered))
        try await fill(here, accounts: 1)
        for round in 0..<20 {
            // The deferred saves of a group are in progress.
            async let left: Void = withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask {
                        try await here.write { _ = Account(in: $0, number: 100 + number, balance: 0) }
                    }
                }
                try await group.waitForAll()
            }
            try await there.write { try $0.fetch(Account.self, where: \.number == 0).first?.balance += 1 }
            let seen = try await here.write { context in
                try context.fetch(Account.self, where: \.number == 0).first?.balance
            }
            #expect(seen == round + 1)
            try await left
        }
        #expect(try await there.read { try $0.count(Account.self) } == 81)
        for store in [here, there] { await store.close() }
    }
}

/// A barrier for several threads.
private final class Meeting: Sendable {
    private let missing: Guarded<Int>
    private let isComplete = DispatchSemaphore(value: 0)

    init(_ count: Int) { missing = Guarded(count) }

    func arrive() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if !isLast { isComplete.wait() }
        isComplete.signal()
    }
}
#endif
