import ContextCore
import Model

/// Makes a tournament in which each member plays each other one.
func pair(_ store: Store, _ name: String) async throws {
    try await store.write { context in
        if let old = try context.first(Tournament.self, where: \.name == name) { context.delete(old) }
        let tournament = Tournament(in: context, name: name)
        let entries = try context.fetch(Member.self, order: .ascending(\.name))
            .map { Entry(in: context, member: $0, tournament: tournament) }
        for (index, white) in entries.enumerated() {
            for black in entries[(index + 1)...] {
                tournament.games.append(Game(in: context, white: white, black: black, tournament: tournament))
            }
        }
        print(tournament.entries.count, "players,", tournament.games.count, "games")
    }
}

/// Deletes a member, if no tournament needs it.
func leave(_ store: Store, _ name: String) async throws {
    try await store.write { context in
        guard let member = try context.first(Member.self, where: \.name == name) else { return }
        context.delete(member)
    }
}
