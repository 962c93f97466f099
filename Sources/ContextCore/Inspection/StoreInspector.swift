/// Looks into a database from outside, without a model: what an administrator's tools ask a backend for.
///
/// An inspector is one connection, used by one thread at a time. It makes nothing, and changes nothing unless ``run(_:writing:limit:)``
/// is told to. Opening one succeeds on a database that is no store yet; what needs a store then throws
/// ``StoreError/Code/notAStore``.
public protocol StoreInspector: AnyObject {
    /// Says which models the store was made and migrated with, the oldest first.
    func models() throws -> [StoredModel]
    /// Says what the database is, how large it is, and how it is set.
    func facts() throws -> StoreFacts
    /// Lists the tables, those of a store's entities and all others.
    func tables() throws -> [TableFacts]
    /// Says how the tables are made, in order of their names, without those that a store keeps for itself; and which views there are.
    func structures() throws -> [TableStructure]
    /// Looks for damage in the database's own structures and for references that lead nowhere, a sentence each.
    func damage() throws -> [String]
    /// Runs one statement in the database's own language.
    ///
    /// - Parameters:
    ///   - statement: One statement; several at once are refused.
    ///   - writing: Whether it may change anything; otherwise the database itself refuses to.
    ///   - limit: How many rows to answer at the most.
    func run(_ statement: String, writing: Bool, limit: Int?) throws -> StatementRows
    /// Ends the connection; a second call does nothing.
    func close()
}

/// One of the models that a store was made or migrated with.
public struct StoredModel: Sendable, Hashable {
    /// Its number in the store, from 1; the greatest is in force.
    public let number: Int
    /// Its fingerprint.
    public let fingerprint: String
    /// The model as the text of a model file.
    public let fileText: String

    /// Describes a model of a store.
    public init(number: Int, fingerprint: String, fileText: String) {
        self.number = number
        self.fingerprint = fingerprint
        self.fileText = fileText
    }
}
