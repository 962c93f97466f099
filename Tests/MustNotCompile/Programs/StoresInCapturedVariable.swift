// expected: mutation of captured var 'kept' in concurrently-executing code
import ContextCore

func leak(_ store: Store) async throws {
    var kept: Game?
    try await store.write("leak") { context in kept = Game(insertingInto: context) }
    print(kept?.title ?? "")
}
