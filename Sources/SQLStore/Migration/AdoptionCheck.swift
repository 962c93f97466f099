package import ContextCore

/// Compares the tables of an existing database with those of a new store, and checks their rows.
package struct AdoptionCheck {
    private let mapping: StoreMapping
    private let drift: SchemaDrift

    /// - Parameters:
    ///   - expected: The tables that a new store would have.
    ///   - live: The tables of the database.
    package init(_ mapping: StoreMapping, expected: PhysicalSchema, live: PhysicalSchema) {
        self.mapping = mapping
        drift = SchemaDrift(expected: expected, live: live)
    }

    /// Returns a sentence for each difference between the tables, or, if there is none, for each kind of invalid row.
    ///
    /// - Parameter count: Runs a query and returns its single number.
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
