// expected: conformance of 'ObjectContext' to 'Sendable' is unavailable: A context can't leave its isolation
import ContextCore

func leak(_ store: Store) async throws {
    let context = try await store.write("leak") { context in context }
    print(context.hasChanges)
}
