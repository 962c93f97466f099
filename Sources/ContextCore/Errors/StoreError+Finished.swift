extension StoreError {
    /// The same error for a call that had finished migrations before it failed: it no longer says that nothing was changed.
    ///
    /// - Parameter transitions: What was finished: `V1-V2`.
    package func after(_ transitions: [String]) -> StoreError {
        let done =
            transitions.joined(separator: " and ") + (transitions.count == 1 ? " was" : " were") + " finished"
        var text = remedy ?? ""
        // Callers within each other have the same to say.
        guard !transitions.isEmpty, !text.contains(done) else { return self }
        if Self.claims.contains(where: text.contains) {
            for claim in Self.claims { text = text.replacing(claim, with: Self.finished(transitions)) }
        } else {
            // What comes after may have been begun.
            text += (text.isEmpty ? "" : " ") + done + "."
        }
        return StoreError(
            code, message, remedy: text, conflicts: conflicts, failures: failures,
            expiredHistory: expiredHistory, detail: detail, cause: cause)
    }

    private static let claims = ["nothing was changed", "Nothing was changed"]

    /// Says what was finished before a call stopped, as a sentence without its full stop.
    package static func finished(_ transitions: [String]) -> String {
        "\(transitions.joined(separator: " and ")) \(transitions.count == 1 ? "was" : "were") finished, and nothing after that was changed"
    }
}
