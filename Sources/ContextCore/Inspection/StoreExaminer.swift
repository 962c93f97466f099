/// An inspector that also looks at what is around a store: its files and their disk, or its server and what lies between.
///
/// Where a backend's inspector is none, `storectl doctor` goes without.
public protocol StoreExaminer: StoreInspector {
    /// Examines what may be in the way of working with the store, now or soon, without reading what it holds.
    func examine() throws -> [StoreExamination]
    /// Says who is migrating the store at this moment; nil where nobody is.
    func migratingProcess() throws -> String?
}

/// One thing around a store that was examined.
public struct StoreExamination: Sendable, Hashable {
    /// What it is, in a word: `disk`.
    public var name: String
    /// What was found.
    public var finding: String
    /// What to do about it; nil where it is in order.
    public var remedy: String?

    /// Describes something that was examined.
    public init(_ name: String, _ finding: String, remedy: String? = nil) {
        self.name = name
        self.finding = finding
        self.remedy = remedy
    }
}
