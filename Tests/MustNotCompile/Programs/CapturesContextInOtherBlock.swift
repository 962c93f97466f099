// expected: capture of 'context' with non-Sendable type 'ObjectContext' in a '@Sendable' closure
import ContextCore

func leak(_ store: Store) async throws {
    try await store.write("leak") { context in
        try store.readAndWait("inside") { _ in try context.save() }
    }
}
