extension StoreError {
    /// Returns the error with a remedy that names the migrations that the call had finished, instead of "nothing was changed".
    ///
    /// - Parameter transitions: The finished migrations, such as `V1-V2`.
    package func afterFinishing(_ transitions: [String]) -> StoreError {
        let done =
            transitions.joined(separator: " and ") + (transitions.count == 1 ? " was" : " were") + " finished"
        var text = remedy ?? ""
        // Nested callers report the same migrations.
        guard !transitions.isEmpty, !text.contains(done) else { return self }
        if Self.unchangedPhrases.contains(where: text.contains) {
            for claim in Self.unchangedPhrases {
                text = text.replacing(claim, with: Self.finishedSentence(transitions))
            }
        } else {
            // The next migration may have been started.
            text += (text.isEmpty ? "" : " ") + done + "."
        }
        return StoreError(
            code, message, remedy: text, conflicts: conflicts, failures: failures,
            expiredHistory: expiredHistory, detail: detail, cause: cause)
    }

    private static let unchangedPhrases = ["nothing was changed", "Nothing was changed"]

    /// Returns a sentence, without its period, that names the migrations that were finished before a call stopped.
    package static func finishedSentence(_ transitions: [String]) -> String {
        "\(transitions.joined(separator: " and ")) \(transitions.count == 1 ? "was" : "were") finished, and nothing after that was changed"
    }
}
