package import ContextCore

/// Compares the tables that somebody else has made with those of a fresh store, and looks at their rows.
package struct AdoptionCheck {
    private let mapping: StoreMapping
    private let drift: SchemaDrift

    /// - Parameters:
    ///   - expected: The tables that a fresh store would have.
    ///   - live: Those that there are.
    package init(_ mapping: StoreMapping, expected: PhysicalSchema, live: PhysicalSchema) {
        self.mapping = mapping
        drift = SchemaDrift(expected: expected, live: live)
    }

    /// In what the tables differ, a sentence each; where they don't, which rows no store of the model would have.
    ///
    /// - Parameter count: Answers the one number that a query is for.
    package func differences(
        counting count: (SQLFragment) throws(StoreError) -> Int64?
    ) throws(StoreError) -> [String] {
        let sentences = drift.sentences
        if !sentences.isEmpty { return sentences }
        var strangers: [String] = []
        for check in EntityNumberCheck(mapping).counts {
            let rows = try count(check.count) ?? 0
            if rows > 0 { strangers.append("\(rows) \(check.sentence)") }
        }
        return strangers
    }
}
