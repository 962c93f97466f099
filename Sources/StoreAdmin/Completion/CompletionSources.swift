import ContextCore

/// The names that completions offer: of stores, tenants, entities, and versions.
///
/// Names are left out if finding them is slow, fails, or would prompt.
protocol CompletionSources {
    /// The names of the stores in the configuration.
    func storeNames() -> [String]
    /// The tenants of the address that the command line names.
    func tenants() -> [String]
    /// The model of the store that the command line names.
    func model() -> ObjectModel?
    /// The numbers of the models in the store that the command line names.
    func modelNumbers() -> [Int]
    /// The frozen versions of the project's model.
    func versions() -> [String]
    /// The names of the program's backends in options.
    var backendNames: [String] { get }
    /// Whether the program has an application's model.
    var hasApplicationModel: Bool { get }
}
