// expected: instance method 'writeAndWait' is unavailable from asynchronous contexts
import ContextCore

func block(_ store: Store) async throws {
    try store.writeAndWait("block") { _ in }
}
