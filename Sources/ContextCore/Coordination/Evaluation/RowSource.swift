/// A source of rows over which plans are evaluated in memory.
///
/// A coordinator without a query language conforms its storage to this protocol and uses
/// ``FetchPlan/evaluate(over:at:)``, ``AggregatePlan/evaluate(over:at:)`` and ``BatchPlan/changes(over:at:)``, as
/// ``InMemoryCoordinator`` does.
public protocol RowSource {
    /// The model of the rows.
    var model: ObjectModel { get }
    /// Visits rows sorted by key, without duplicates, until the body returns false.
    ///
    /// It must visit every row that satisfies the criteria, and may visit others: a source without indexes visits all rows.
    func visit(_ criteria: RowCriteria, _ body: (StoredRow) throws -> Bool) throws
    /// Returns the row of an entity or one of its subentities; nil if it doesn't exist.
    func row(_ key: Int64, entityIndex: Int) throws -> StoredRow?
    /// Returns the links of an owner in a to-many relationship, sorted by position and then by key.
    func links(of owner: Int64, entityIndex: Int, slot: Int) throws -> [RelatedRows.Link]
}
