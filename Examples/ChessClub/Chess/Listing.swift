import ContextCore
import Model

/// Prints the strong members, and figures about all of them.
func list(_ store: Store) async throws {
    let strong = try await store.read { context in
        let members = try context.fetch(
            Member.self, where: \.rating >= 1600 && \.name != "Bo", order: .descending(\.rating))
        return members.map { "\($0.name) \($0.rating)" }
    }
    print(strong)

    let (count, best, average) = try await store.read { context in
        try context.aggregate(Member.self, .count(), .maximum(\.rating), .average(\.rating))
    }
    print(count, best ?? 0, average ?? 0)
}

/// Prints the members that match a condition that the user has written.
func find(_ store: Store, _ text: String) async throws {
    let condition = TypedPredicate<Member>(try FetchPredicate(text))
    let found = try await store.read { context in
        let members = try context.fetch(Member.self, where: condition, order: .ascending(\.name))
        return members.map { "\($0.name) \($0.rating)" }
    }
    print(found)
}
