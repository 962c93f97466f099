public import ContextCore

/// A kind of store to run the conformance cases on: how to open and remove one, and its capabilities.
///
/// ```swift
/// let paper = StoreFixture(name: "paper", capabilities: [.persistent]) { location, model in
///     try PaperCoordinator(path: "/tmp/\(location).paper", model: model)
/// } remove: { location in
///     try FileManager.default.removeItem(atPath: "/tmp/\(location).paper")
/// }
/// ```
public struct StoreFixture: Sendable {
    /// Opens the store at a location, and creates an empty one if there is none.
    ///
    /// A location is a name of lowercase letters, digits and underscores that no other case uses. It is suitable as the name of a file,
    /// a folder or a schema. The function may block.
    public typealias Open =
        @Sendable (_ location: String, _ model: ObjectModel) throws -> any StoreCoordinator

    /// The name of the kind of store in reports.
    public let name: String
    /// The capabilities of its stores; cases that require others don't apply.
    public let capabilities: StoreCapabilities
    let open: Open
    let remove: @Sendable (_ location: String) throws -> Void

    /// Creates the description of a kind of store.
    ///
    /// - Parameters:
    ///   - name: Its name in reports.
    ///   - capabilities: The capabilities that its coordinators report; a case compares the two.
    ///   - open: Opens the store at a location. A store with `StoreCapabilities.persistent` has the data that was saved there before.
    ///   - remove: Deletes the store at a location. A case calls it after it has closed all stores at that location.
    public init(
        name: String, capabilities: StoreCapabilities, open: @escaping Open,
        remove: @escaping @Sendable (_ location: String) throws -> Void = { _ in }
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
    /// Returns a backend for `Store.open` that opens the store at one location.
    func backend(at location: String) -> StoreBackend {
        StoreBackend(name: name, schemes: ["conformance"]) { _, model, _ in try open(location, model) }
    }
}
