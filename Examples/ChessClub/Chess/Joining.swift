import ContextCore
import Model

/// Saves the first members.
func join(_ store: Store) async throws {
    for (name, rating) in [("Ann", 1850), ("Bo", 1620), ("Cy", 1705), ("Dee", 1480)] {
        do {
            try await store.write { context in
                _ = Member(in: context, name: name, rating: rating)
            }
            print(name, "has joined.")
        } catch StoreError.Code.duplicate {
            print(name, "is a member already.")
        }
    }
}

/// Tries to save a valid member together with two that break rules.
func refuse(_ store: Store) async throws {
    do {
        try await store.write { context in
            _ = Member(in: context, name: "Eve")
            _ = Member(in: context, name: "")
            _ = Member(in: context, name: "Fay", rating: 9000)
        }
    } catch let error as StoreError where error.code == .validation {
        for failure in error.failures { print("-", failure) }
    }
    let count = try await store.read { context in try context.count(Member.self) }
    print("The club has \(count) members.")
}
