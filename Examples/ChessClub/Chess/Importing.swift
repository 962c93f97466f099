import ContextCore
import Model

/// Saves the federation's list, 500 players at a time, and returns the number of new ones.
func importPlayers(_ store: Store) async throws -> Int {
    let importer = store.makeBackgroundContext(name: "import")
    var total = 0
    for part in stride(from: 1, through: 2000, by: 500).map({ $0...$0 + 499 }) {
        total += try await importer.perform { context in
            let known = try context.fetch(RatedPlayer.self, where: part ~= \.number)
            let players = Dictionary(uniqueKeysWithValues: known.map { ($0.number, $0) })
            for number in part {
                let rating = 1000 + number * 7919 % 1500  // in reality from a file
                if let player = players[number] {
                    player.rating = rating
                } else {
                    _ = RatedPlayer(in: context, number: number, rating: rating)
                }
            }
            try context.save()
            context.reset()
            return part.count - known.count
        }
    }
    return total
}

/// Imports the list, and reads meanwhile.
@MainActor func federation(_ store: Store) async throws {
    let players = try LiveValue(RatedPlayer.self, .count(), in: store.viewContext)
    async let imported = importPlayers(store)

    var counts: Set<Int> = []
    for _ in 1...200 {
        counts.insert(try await store.read { context in try context.count(RatedPlayer.self) })
    }
    print(counts.allSatisfy { $0.isMultiple(of: 500) } ? "Every read saw whole parts." : "A part was torn.")

    print("New players:", try await imported)
    for await count in players.values where count == 2000 {
        print("The screen shows \(count) players.")
        break
    }
}
