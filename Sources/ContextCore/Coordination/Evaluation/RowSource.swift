/// Rows that plans are evaluated over.
///
/// A coordinator that has no query language of its own conforms what it keeps to this protocol, and lets
/// ``FetchPlan/evaluate(over:at:)``, ``AggregatePlan/evaluate(over:at:)`` and ``BatchPlan/changes(over:at:)`` do the rest. So does
/// ``InMemoryCoordinator``.
public protocol RowSource {
    /// The model of the rows.
    var model: ObjectModel { get }
    /// Visits rows in order of their keys, each once, until the body returns false.
    ///
    /// Every row that meets the criteria is among them. There may be others: a source without indexes visits all its rows.
    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws
    /// Finds the row of an entity, or of one of its subentities; nil when there is none.
    func row(_ key: Int64, entityIndex: Int) throws -> StoredRow?
    /// Finds what a to-many relationship leads to, in order of position and then of key.
    func links(of owner: Int64, entityIndex: Int, slot: Int) throws -> [RelatedRows.Link]
}
