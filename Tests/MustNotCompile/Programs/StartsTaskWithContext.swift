// expected: passing closure as a 'sending' parameter risks causing data races between code in
import ContextCore

func leak(_ editor: ContextActor) async throws {
    try await editor.perform { context in
        _ = Task { context.hasChanges }
    }
}
