import ChildProcesses
import ContextCore
import Testing

/// Several processes share one store.
///
/// `STORE_STRESS_SECONDS` is the duration; the documentation promises 60.
@Suite(.serialized)
struct SharedStoreTests {
    private static let processes = 4
    private static let seconds = Effort.count("STORE_STRESS_SECONDS", otherwise: 3)
    private static let jobs = Effort.count("STORE_STRESS_JOBS", otherwise: 120)

    private func start(_ work: String, at place: SharedPlace, count: Int? = nil) throws -> [ChildProcess] {
        let children = try (0..<Self.processes).map {
            try ChildProcess(work, url: place.url, name: "p\($0)", count: count)
        }
        for child in children { #expect(child.line() == "open") }
        for child in children { try child.proceed() }
        return children
    }

    @Test(arguments: SharedPlace.kinds)
    func `Concurrent processes lose no saved points, and all see the final state`(_ kind: String)
        async throws
    {
        let place = try SharedPlace(kind)
        defer { place.remove() }
        let store = try await place.open()
        try await store.write("set up") { context in
            for table in 1...4 {
                let game = Game(in: context, title: "Table \(table)")
                for seat in 1...5 { _ = Player(in: context, name: "Player \(table).\(seat)", game: game) }
            }
        }
        let children = try start("play", at: place, count: Self.seconds)
        let rounds = try children.map { child in
            let words = try #require(child.line()).split(separator: " ")
            return try #require(words.last.flatMap { Int($0) }, "\(words)")
        }
        for child in children { try child.proceed() }
        for child in children {
            #expect(child.lines() == ["equal"])
            #expect(child.wait() == 0)
        }
        let scores = try await store.read("scores") { try $0.fetch(Player.self).reduce(0) { $0 + $1.score } }
        #expect(rounds.allSatisfy { $0 > 0 })
        #expect(scores == rounds.reduce(0, +))
        print("\(Self.processes) processes, \(Self.seconds) s on \(kind): \(scores) rounds")
        await store.close()
    }

    @Test(arguments: SharedPlace.kinds)
    func `Processes with a job queue take each job once`(_ kind: String) async throws {
        let place = try SharedPlace(kind)
        defer { place.remove() }
        let store = try await place.open()
        try await store.write("set up") { context in
            for number in 1...Self.jobs { _ = Job(in: context, number: number) }
        }
        let children = try start("jobs", at: place)
        let taken = children.map { $0.lines().compactMap { Int($0) } }
        for child in children { #expect(child.wait() == 0) }
        #expect(taken.joined().sorted() == Array(1...Self.jobs))
        let noted = try await store.read("takers") { context in
            try context.fetch(Job.self, order: .ascending(\.number)).map(\.taker)
        }
        for (name, numbers) in taken.enumerated() {
            #expect(numbers.allSatisfy { noted[$0 - 1] == "p\(name)" })
        }
        await store.close()
    }
}
