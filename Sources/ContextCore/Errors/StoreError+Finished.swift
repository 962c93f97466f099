extension StoreError {
    /// The same error for a call that had finished migrations before it failed: it no longer says that nothing was changed.
    ///
    /// - Parameter transitions: What was finished: `V1-V2`.
    package func after(_ transitions: [String]) -> StoreError {
        guard !transitions.isEmpty else { return self }
        let fate = Self.finished(transitions)
        var text = remedy ?? ""
        if Self.claims.contains(where: text.contains) {
            for claim in Self.claims { text = text.replacing(claim, with: fate) }
        } else {
            text += (text.isEmpty ? "" : " ") + fate + "."
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
