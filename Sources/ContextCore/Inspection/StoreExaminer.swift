/// An inspector that also examines a store's environment: its files and their disk, or its server and the network.
///
/// If a backend's inspector doesn't conform, `storectl doctor` skips these checks.
public protocol StoreExaminer: StoreInspector {
    /// Checks the environment for present and imminent problems, without reading the store's data.
    func examine() throws -> [StoreExamination]
    /// Returns a description of the process that is migrating the store; nil if there is none.
    func migratingProcess() throws -> String?
}

/// One examined aspect of a store's environment.
public struct StoreExamination: Sendable, Hashable {
    /// The name of the aspect: `disk`.
    public var name: String
    /// The finding, as a sentence.
    public var finding: String
    /// What to do about it; nil if there is no problem.
    public var remedy: String?

    /// Creates a finding.
    public init(_ name: String, _ finding: String, remedy: String? = nil) {
        self.name = name
        self.finding = finding
        self.remedy = remedy
    }
}
