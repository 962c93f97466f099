import ChildProcesses
import ContextCore
import Foundation
import Synchronization
import Testing

/// Processes with concurrent blocks, which are killed, and whose connections the server terminates, while another process follows.
///
/// `STORE_STRESS_SECONDS` is the duration.
@Suite(.serialized)
struct KilledWritersTests {
    private static let seconds = Effort.count("STORE_STRESS_SECONDS", otherwise: 3)

    /// The output of all processes.
    private final class Said: Sendable {
        private let lines = Guarded<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        /// Records the output of a process until it ends.
        func listen(to child: ChildProcess) {
            while let line = child.line() { lines.withLock { $0.append(line) } }
        }
    }

    @Test(arguments: SharedPlace.kinds)
    func `Saves of killed processes are stored once, and a follower gets all`(_ kind: String) async throws {
        let place = try SharedPlace(kind)
        defer { place.remove() }
        let store = try await place.open()
        try await store.write("set up") { context in
            for table in 1...8 { _ = Game(in: context, title: "Table \(table)") }
        }
        let start = try #require(try await store.history().last?.token)
        let isOver = Atomic(false)
        let follower = Task { try await follow(store, after: start) { isOver.load(ordering: .acquiring) } }
        let said = Said()
        try await onThread { try Self.runAndKill(place, said) }
        isOver.store(true, ordering: .releasing)

        let names = try await store.read("names") { context in
            Dictionary(
                uniqueKeysWithValues: try context.fetch(Player.self).map { ($0.objectID, $0.name) })
        }
        let players = said.all.filter { $0 != "open" }
        #expect(players.filter { $0.hasPrefix("failed") } == [])
        #expect(Set(names.values).count == names.count, "No player is stored twice")
        #expect(Set(players).subtracting(names.values) == [], "Acknowledged saves are stored")
        let heard = try await follower.value
        #expect(heard.count == names.count && Set(heard) == Set(names.keys), "The follower")
        print("\(kind): \(players.count) acknowledged, \(names.count) saved, \(heard.count) heard of")
        await store.close()
    }

    /// Runs four processes, and repeatedly kills one and starts another in its place.
    private static func runAndKill(_ place: SharedPlace, _ said: Said) throws {
        func start(_ number: Int) throws -> ChildProcess {
            let child = try ChildProcess("write-at-once", url: place.url, name: "p\(number)")
            guard child.line() == "open" else { throw CocoaError(.executableLoad) }
            try child.proceed()
            return child
        }
        var children = try (0..<4).map(start)
        let listeners = DispatchGroup()
        func listen(to child: ChildProcess) {
            // Only this thread reads the output of the process.
            nonisolated(unsafe) let child = child
            let thread = Thread {
                said.listen(to: child)
                listeners.leave()
            }
            listeners.enter()
            thread.start()
        }
        children.forEach(listen)
        let end = ContinuousClock.now + .seconds(seconds)
        var number = children.count
        while ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.3)
            place.endConnection()
            let victim = children.removeFirst()
            victim.kill()
            let child = try start(number)
            listen(to: child)
            children.append(child)
            number += 1
        }
        for child in children { child.kill() }
        listeners.wait()
    }

    private func follow(
        _ store: Store, after start: StoreToken, until isOver: @Sendable () -> Bool
    ) async throws -> [ObjectID] {
        var (last, heard) = (start, [ObjectID]())
        while true {
            let isLast = isOver()
            let history: [StoreTransaction]
            do {
                history = try await store.history(after: last)
            } catch StoreError.Code.connectionLost {
                // The terminated connection may belong to the follower.
                continue
            }
            heard += history.flatMap(\.changes).filter {
                $0.kind == .insert && $0.objectID.entityName == "Player"
            }
            .map(\.objectID)
            last = history.last?.token ?? last
            if isLast, history.isEmpty {
                // The transaction of a killed process may still block later ones.
                try await Task.sleep(for: .seconds(1))
                if try await store.history(after: last).isEmpty { return heard }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
