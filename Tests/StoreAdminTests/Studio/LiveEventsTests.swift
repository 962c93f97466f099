import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The events of a store for a page that shows it live.
struct LiveEventsTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func events(after save: Int64? = nil) throws -> LiveEvents {
        var intervals = LiveSchedule.Intervals()
        // Each failure of an open store is mentioned only if opening it fails too.
        intervals.trial = .zero
        intervals.firstRetry = .milliseconds(10)
        intervals.longestRetry = .milliseconds(10)
        // The tool that resolves an address knows its secrets.
        let tool = bench.tool
        return LiveEvents(try tool.store(nil, config: nil), tool, after: save, intervals: intervals)
    }

    /// Returns the events up to the first with a name.
    private func next(_ name: LiveEvent.Name, _ events: LiveEvents) throws -> [LiveEvent] {
        var found: [LiveEvent] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            found += events.next()
            if let place = found.firstIndex(where: { $0.name == name }) {
                return Array(found[...place])
            }
        }
        Issue.record("There was no event \(name): \(found.map(\.name))")
        return found
    }

    private func saveGame(_ title: String) throws {
        try bench.write("title\n\(title)\n", to: "rows.csv")
        let outcome = bench.run("data", "import", "rows.csv", "--entity", "Game")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `A save of another process is an event soon after its commit`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let events = try events()
        let opened = try #require(events.next().first)
        #expect(opened.name == .opened)
        let last = try #require(opened.data["save"].intValue)
        #expect(events.next().map(\.name) == [.activity, .rates])
        try bench.write("title\nMill\n", to: "rows.csv")
        let other = try bench.start(["data", "import", "rows.csv", "--entity", "Game"])
        let save = try #require(try next(.save, events).last)
        let date = try HistoryTimestamp(save.data["date"].stringValue ?? "", option: "since").date
        // The history is read four times a second; other tests may delay this one.
        #expect(Date().timeIntervalSince(date) < 5)
        other.waitUntilExit()
        try #require(other.terminationStatus == 0)
        #expect(save.id == Int64(last + 1) && save.data["inserted"] == .int(1))
        #expect(save.data["entities"] == .array([.string("Game")]))
        #expect(save.data["pid"] == .int(Int(other.processIdentifier)))
        let row = bench.run("history", "list", "-o", "jsonl", "-n", "1").output
        #expect(save.text == "event: save\nid: \(last + 1)\ndata: \(row)\n")
        let rates = try #require(try next(.rates, events).last)
        // The saves before the start are counted too.
        #expect(rates.data["saves"] == .int(last + 1))
    }

    @Test(arguments: TestPlace.available)
    func `An activity has statements without their values`(place: TestPlace) throws {
        let writer = try RawStore(try bench.makeShop(place), in: bench.folder)
        let events = try events()
        try writer.execute([
            place == .sqlite ? "BEGIN IMMEDIATE" : "BEGIN", "UPDATE game SET title = 'secret' WHERE _id = 1",
        ])
        let activity = try #require(try next(.activity, events).last).data
        try writer.execute(["ROLLBACK"])
        #expect(!activity.text.contains("secret"))
        let limits = activity["limits"].stringValues ?? []
        guard place == .postgres else {
            #expect(limits.contains { $0.contains("statements of other processes can't be seen") })
            return
        }
        let statements = (activity["sessions"].elements ?? []).compactMap { $0["statement"].stringValue }
        #expect(statements.contains("UPDATE game SET title = ? WHERE _id = ?"), "\(statements)")
        // Slow ones are listed, or the document says what is missing.
        #expect(
            activity["statements"].elements?.isEmpty == false
                || limits.contains { $0.contains("pg_stat_statements") }, "\(limits)")
    }

    @Test(arguments: TestPlace.available)
    func `A client that was away gets the saves that it missed`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let events = try events(after: 0)
        let found = try next(.activity, events)
        let saves = found.filter { $0.name == .save }
        let lines = bench.run("history", "list", "-o", "jsonl", "-n", "1000").output.split(separator: "\n")
        #expect(saves.map(\.data.text) == lines.map(String.init))
        // A number beyond the last save belongs to another store, and no save has a negative one.
        for number in [1_000_000, .max, -1, .min] as [Int64] {
            let beyond = try next(.rates, self.events(after: number))
            #expect(beyond.map(\.name) == [.opened, .activity, .rates], "\(number)")
            #expect(beyond.first?.data["skipped"] == .int(0), "\(number)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `A client that was away gets the saves that a pruned history still contains`(place: TestPlace) throws
    {
        _ = try bench.makeShop(place)
        try saveGame("Mill")
        try saveGame("Hex")
        let pruned = bench.run("history", "prune", "--keep", "1")
        try #require(pruned.exit == .success, "\(pruned.problems)")
        let found = try next(.activity, events(after: 0))
        let line = bench.run("history", "list", "-o", "jsonl").output
        #expect(found.filter { $0.name == .save }.map { $0.data.text + "\n" } == [line])
        // Nothing is left, so the next save is the first.
        let emptied = bench.run("history", "prune", "--keep", "0")
        try #require(emptied.exit == .success, "\(emptied.problems)")
        let events = try events(after: 0)
        #expect(try next(.rates, events).map(\.name) == [.opened, .activity, .rates])
        try saveGame("Oware")
        #expect(try next(.save, events).last?.data["inserted"] == .int(1))
    }

    @Test(arguments: TestPlace.available)
    func `A store that doesn't exist is an error until it is created`(place: TestPlace) throws {
        let url = place.freshURL()
        bench.variables["STORECTL_URL"] = url
        let events = try events()
        let error = try #require(try next(.error, events).last)
        let code = place == .sqlite ? "SC2001" : "SC2002"
        #expect(error.data["error"]["code"] == .string(code), "\(error.data.text)")
        #expect((error.data["retryMilliseconds"].intValue ?? 0) > 0)
        _ = try bench.makeShop(at: url)
        #expect(try next(.opened, events).last?.data["skipped"] == .int(0))
        try saveGame("Mill")
        #expect(try next(.save, events).last?.data["inserted"] == .int(1))
    }

    @Test(arguments: TestPlace.available)
    func `A store that is replaced is opened again`(place: TestPlace) throws {
        let url = try bench.makeShop(place)
        let events = try events()
        let first = try #require(try next(.opened, events).last)
        _ = try next(.rates, events)
        switch place {
        case .sqlite:
            let path = bench.folder + "/" + url.dropFirst("sqlite:".count)
            for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) }
        case .postgres:
            let confirmed = bench.run("db", "drop", "--confirm", try StoreURL(url).databaseName)
            try #require(confirmed.exit == .success, "\(confirmed.problems)")
        }
        _ = try bench.makeShop(at: url)
        let second = try #require(try next(.opened, events).last)
        #expect(second.data["id"] != first.data["id"])
        try saveGame("Mill")
        #expect(try next(.save, events).last?.data["inserted"] == .int(1))
    }

    @Test(arguments: TestPlace.available)
    func `A store that is migrated is opened with its new model`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let events = try events()
        let first = try #require(try next(.opened, events).last)
        _ = try next(.rates, events)
        try bench.write(
            ShopExport.model.replacing(
                #""label":{"type""#, with: #""extra":{"optional":true,"type":"bool"},"label":{"type""#),
            to: "changed.model.json")
        // A store on a server is migrated only if it is named.
        try bench.write(#"{"stores": {"shop": {"url": {"env": "STORECTL_URL"}}}}"#, to: "storectl.json")
        let migrated = bench.run(
            "migrate", "dev", "--yes", "-s", "shop", "--model", "changed.model.json", "--project", "p")
        try #require(migrated.exit == .success, "\(migrated.problems)")
        try saveGame("Mill")
        let found = try next(.save, events)
        let second = try #require(found.first { $0.name == .opened })
        #expect(second.data["id"] == first.data["id"])
        #expect(second.data["fingerprint"] != first.data["fingerprint"])
        #expect(found.last?.data["entities"] == .array([.string("Game")]))
    }

    @Test func `Events end when the client is gone or the tool stops`() throws {
        _ = try bench.makeShop()
        var count = 0
        try events().run(
            until: { false },
            send: { _ in
                count += 1
                return count < 3
            })
        #expect(count == 3)
        var checks = 0
        try events().run(
            until: {
                checks += 1
                return checks > 4
            },
            send: { _ in true })
        #expect(checks == 5)
    }

    @Test func `Secrets are removed from events`() throws {
        _ = try bench.makeShop()
        bench.variables["STORECTL_URL"] = "postgres://app:geheim@127.0.0.1:1/shop"
        let error = try #require(try next(.error, events()).last)
        #expect(!error.text.contains("geheim"))
        #expect(error.data["error"]["retryable"] == .bool(true))
    }
}
