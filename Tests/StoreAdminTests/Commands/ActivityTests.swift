import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The command `activity`.
struct ActivityTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Returns the statements that begin a transaction that writes.
    private func writing(_ place: TestPlace) -> [String] {
        [place == .sqlite ? "BEGIN IMMEDIATE" : "BEGIN", "UPDATE game SET title = 'secret' WHERE _id = 1"]
    }

    private func own(_ activity: [String: JSONValue], _ place: TestPlace) -> JSONValue? {
        activity["sessions"]?.elements?.first { session in
            place == .sqlite ? session["state"] == .string("writing") : session["usesStore"] == .bool(true)
        }
    }

    @Test(arguments: TestPlace.available)
    func `A transaction that writes is shown`(place: TestPlace) throws {
        let writer = try RawStore(try bench.makeShop(place), in: bench.folder)
        let quiet = try bench.json("activity")
        #expect(own(quiet, place) == nil)
        #expect(quiet["writing"] == (place == .sqlite ? .bool(false) : .null))
        try writer.execute(writing(place))
        let activity = try bench.json("activity")
        #expect(activity["writing"] == (place == .sqlite ? .bool(true) : .null))
        #expect((activity["bytes"]?.intValue ?? 0) > 0)
        let text = bench.run("activity").output
        if place == .sqlite {
            #expect(text.contains("a transaction is being written"), "\(text)")
            #expect((activity["pages"]?["count"].intValue ?? 0) > 0)
        } else {
            let session = try #require(own(activity, place))
            #expect(session["state"] == .string("idle in transaction"))
            #expect((session["transactionMilliseconds"].intValue ?? -1) >= 0)
            #expect(session["statement"] == .null)
            #expect(text.contains("in use"), "\(text)")
            #expect((activity["connections"]?["used"].intValue ?? 0) > 0)
        }
        try writer.execute(["ROLLBACK"])
        #expect(own(try bench.json("activity"), place) == nil)
    }

    @Test func `Values in statements are shown only if they are wanted`() throws {
        guard TestPlace.server != nil else { return }
        let writer = try RawStore(try bench.makeShop(.postgres), in: bench.folder)
        try writer.execute(writing(.postgres))
        #expect(!bench.run("activity").output.contains("UPDATE game"))
        let masked = bench.run("activity", "--statements").output
        #expect(masked.contains("UPDATE game SET title = ? WHERE _id = ?"), "\(masked)")
        #expect(!bench.run("activity", "--statements", "--json").output.contains("secret"))
        #expect(bench.run("activity", "--values").output.contains("title = 'secret'"))
        try writer.execute(["ROLLBACK"])
    }

    @Test func `A session that waits is shown with the one that blocks it`() async throws {
        guard TestPlace.server != nil else { return }
        let (url, folder) = (try bench.makeShop(.postgres), bench.folder)
        let writer = try RawStore(url, in: folder)
        try writer.execute(writing(.postgres))
        let waiting = Task(executorPreference: ThreadExecutor()) {
            try RawStore(url, in: folder).execute(["UPDATE game SET title = 'other' WHERE _id = 1"])
        }
        var waits: [JSONValue] = []
        for _ in 0..<10_000 where waits.isEmpty {
            waits = try bench.json("activity")["waits"]?.elements ?? []
        }
        #expect(waits.count == 1)
        let blockers = try #require(waits.first)["blockers"]
        let pid = try writer.count("SELECT pg_backend_pid()")
        #expect(blockers == .array([.int(Int(try #require(pid)))]))
        let text = bench.run("activity").output
        #expect(text.contains("waits for a lock of") && text.contains("held by \(pid ?? 0)"), "\(text)")
        try writer.execute(["ROLLBACK"])
        try await waiting.value
    }

    @Test func `A role without privileges sees less, and the report says so`() throws {
        guard TestPlace.server != nil else { return }
        let role = try bench.makeShopWithReader()
        defer { bench.dropReader(role) }
        let writer = try RawStore(try #require(bench.variables["OWNER"]), in: bench.folder)
        try writer.execute(writing(.postgres))
        let activity = try bench.json("activity", "-s", "reader", "--values")
        let limits = activity["limits"]?.stringValues ?? []
        #expect(limits.contains { $0.contains("pg_read_all_stats") }, "\(limits)")
        let pid = try #require(try writer.count("SELECT pg_backend_pid()"))
        let session = activity["sessions"]?.elements?.first { $0["pid"] == .int(Int(pid)) }
        #expect(session?["state"] == .null && session?["statement"] == .null)
        // The locks of all roles are visible.
        #expect(session?["usesStore"] == .bool(true))
        #expect(try bench.json("activity", "-s", "owner")["limits"] == .array([]))
        try writer.execute(["ROLLBACK"])
    }

    @Test func `A prepared transaction that holds a lock is named`() throws {
        _ = try bench.makeShop()
        let tool = bench.tool
        var activity = StoreActivity(time: Date())
        activity.waits = [.init(process: 7, target: "game", mode: "ShareLock", since: nil, blockers: [0, 9])]
        let store = try tool.store(nil, config: nil)
        let text = ActivityText(store: store, activity: activity, style: TextStyle()).text
        #expect(text.contains("prepared transaction, 9"), "\(text)")
    }

    @Test(arguments: TestPlace.available)
    func `Watching prints a document per line`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let outcome = bench.run("activity", "--watch", "1ms", "-n", "3", "-o", "jsonl")
        #expect(outcome.exit == .success)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines {
            let document = JSONValue(try JSONDocument(String(line)).root)
            #expect(document["schema"] == .string("storectl.activity/1"))
        }
        bench.stopRequest = .polling { SIGINT }
        #expect(bench.run("activity", "--watch", "1ms", "-o", "jsonl").output.count { $0 == "\n" } == 1)
        #expect(bench.run("activity", "-n", "3").exit == .usage)
        #expect(bench.run("activity", "--watch", "1s", "--json").exit == .usage)
    }

    @Test(arguments: TestPlace.available)
    func `The document has its documented shape`(place: TestPlace) throws {
        let writer = try RawStore(try bench.makeShop(place), in: bench.folder)
        try writer.execute(writing(place))
        let document = JSONValue.object(try bench.json("activity", "--statements"))
        #expect(try DocumentShapes().differences(document) == [])
        try writer.execute(["ROLLBACK"])
    }
}
