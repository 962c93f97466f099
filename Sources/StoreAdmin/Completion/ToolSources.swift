import ContextCore
import Foundation

/// The names that a program finds in its configuration, in the project's folder, and in a store.
///
/// It opens a store only to read its models or its tenants, for at most a second, and only if no command prints the store's password:
/// such a command may prompt. The variable `STORECTL_COMPLETION_TIMEOUT` sets another limit.
struct ToolSources: CompletionSources {
    let tool: Tool
    /// The values of the options on the command line, by the name of the option.
    let options: [String: String]
    /// The time limit for reading from a store.
    private var limit: Duration {
        tool.environment.variables["STORECTL_COMPLETION_TIMEOUT"].flatMap(ParsedArguments.parseDuration)
            ?? .seconds(1)
    }

    func storeNames() -> [String] {
        (try? tool.configuration(file: options["config"]))?.storeNames ?? []
    }

    func tenants() -> [String] {
        withStore { backend, url in try backend.tenants(at: url) } ?? []
    }

    func model() -> ObjectModel? {
        let namesStore = options["store"] != nil || options["tenant"] != nil
        if !namesStore, let model = tool.model { return model }
        return storedModels().flatMap { try? ObjectModel(currentAmong: $0) } ?? tool.model
            ?? lastFrozenModel
    }

    func modelNumbers() -> [Int] { storedModels()?.map(\.number) ?? [] }

    func versions() -> [String] { (try? ModelHistory.frozenNames(in: projectFolder)) ?? [] }

    var backendNames: [String] { tool.backends.compactMap(\.schemes.first) }

    var hasApplicationModel: Bool { tool.model != nil }

    private var projectFolder: String {
        options["project"].map(tool.environment.resolved) ?? tool.environment.directory
    }

    /// The model of the version from which no migration starts; of several, that with the greatest number.
    private var lastFrozenModel: ObjectModel? {
        (try? ModelHistory.latestNames(in: projectFolder))?.last.flatMap { name in
            let path = ModelHistory.modelPath(name, in: projectFolder)
            let data = FileManager.default.contents(atPath: path)
            return data.flatMap {
                try? ObjectModel(fileText: String(decoding: $0, as: UTF8.self), fileName: path)
            }
        }
    }

    private func storedModels() -> [StoredModel]? {
        let tenant = options["tenant"]
        return withStore { backend, url in
            let inspector = try backend.inspect(backend.address(of: tenant, at: url, isShared: false))
            defer { inspector.close() }
            return try inspector.models()
        }
    }

    /// Calls a closure with the address of the store; nil if that isn't quick, fails, or may prompt.
    private func withStore<Value: Sendable>(
        _ body: @escaping @Sendable (StoreBackend, StoreURL) throws -> Value
    ) -> Value? {
        let (tool, options, limit) = (tool, options, limit)
        return Deadline.value(within: limit) {
            guard
                let store = try? tool.configuration(file: options["config"]).store(options["store"]),
                !Self.runsCommand(store.password?.source),
                let address = try? tool.address(options["store"], config: options["config"])
            else { return nil }
            return try? body(address.backend, Self.limited(address.url, address.backend, limit))
        }
    }

    private static func runsCommand(_ source: SecretSource?) -> Bool {
        if case .command? = source { true } else { false }
    }

    /// Returns the address with short time limits, so that the work on the other thread ends soon, too.
    private static func limited(_ url: StoreURL, _ backend: StoreBackend, _ limit: Duration) -> StoreURL {
        let time = "\(max(1, Quantity.milliseconds(limit)))ms"
        let limits = ["timeout": time, "statement_timeout": time, "busy_timeout": time]
        return url.replacing(limits.filter { backend.optionKeys.contains($0.key) })
    }
}
