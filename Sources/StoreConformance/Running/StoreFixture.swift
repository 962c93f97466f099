public import ContextCore

/// A kind of store that the conformance cases are run on: how one is opened, and what it can do.
///
/// ```swift
/// let paper = StoreFixture(name: "paper", capabilities: [.persistent]) { place, model in
///     try PaperCoordinator(path: "/tmp/\(place).paper", model: model)
/// } remove: { place in
///     try FileManager.default.removeItem(atPath: "/tmp/\(place).paper")
/// }
/// ```
public struct StoreFixture: Sendable {
    /// Opens the store at a place: the one that is there, or a new and empty one.
    ///
    /// A place is a name of small letters, digits and underscores that no other case uses, fit for a file, a folder or a schema.
    /// It may block.
    public typealias Open =
        @Sendable (_ place: String, _ model: ObjectModel) throws -> any StoreCoordinator

    /// What reports call the kind of store.
    public let name: String
    /// What its stores can do beyond what every store can; cases that need more are not for it.
    public let capabilities: StoreCapabilities
    let open: Open
    let remove: @Sendable (_ place: String) throws -> Void

    /// Describes a kind of store.
    ///
    /// - Parameters:
    ///   - name: What reports call it.
    ///   - capabilities: What its coordinators say of themselves; a case compares the two.
    ///   - open: Opens the store at a place. A store with ``StoreCapabilities/persistent`` finds what it had there before.
    ///   - remove: Takes away what is left of a place, after its stores have been closed.
    public init(
        name: String, capabilities: StoreCapabilities, open: @escaping Open,
        remove: @escaping @Sendable (_ place: String) throws -> Void = { _ in }
    ) {
        self.name = name
        self.capabilities = capabilities
        self.open = open
        self.remove = remove
    }
}

extension StoreFixture: CustomStringConvertible {
    /// The fixture's name.
    public var description: String { name }
}

extension StoreFixture {
    /// A backend for `Store.open` that opens the store at one place.
    func backend(at place: String) -> StoreBackend {
        StoreBackend(name: name, schemes: ["conformance"]) { _, model, _ in try open(place, model) }
    }
}
