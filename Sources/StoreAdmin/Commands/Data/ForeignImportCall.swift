import ContextCore
import Foundation

/// A call of `data import --from`, which recognizes whether the database is a store of Core Data.
struct ForeignImportCall {
    let call: CommandCall

    /// The options that apply only with `--from`.
    static let options = CoreDataImportCall.options + DatabaseImportCall.options
    /// The options of a file's rows that also apply to the rows of a database.
    private static let rejectOptions: Set<String> = ["on-error", "rejects"]

    func run(_ text: String) throws -> Report {
        try call.refuse(
            RowImportRun.options.filter { !Self.rejectOptions.contains($0.name) },
            "is an option for the rows of a file, and --from names a database.")
        if !call.arguments.operands.isEmpty {
            throw AdminError.usage("an import reads either a FILE or the store that --from names, not both.")
        }
        let destination = try call.store()
        if !call.arguments.has("dry-run") { try Confirmation.check(call, destination) }
        let source = try source(text)
        guard let open = source.backend.administration?.openForeignRows else {
            throw AdminError.usage(
                "the backend \(source.backend.name) can't read databases of other programs.",
                hint: "Name a SQLite file, or a schema on a PostgreSQL server.")
        }
        if source.location != nil, source.location == destination.location {
            throw AdminError.usage(
                "the source and the destination are the same.", hint: "Name another store with --store.")
        }
        let reader = try open(source.url)
        defer { reader.close() }
        let isFile = source.backend.administration?.pathsAreFiles == true
        guard try isFile && (CoreDataStore.isStore(reader) || call.arguments.isGiven("coredata")) else {
            try call.refuse(
                CoreDataImportCall.modelOptions,
                "is an option for a store of Core Data, and --from names none.")
            return try DatabaseImportCall(call: call).run(reader, from: source, to: destination)
        }
        let rejectOptions = RowImportRun.options.filter { Self.rejectOptions.contains($0.name) }
        try call.refuse(
            rejectOptions + DatabaseImportCall.options,
            "is not an option for a store of Core Data, which --from names.")
        return try CoreDataImportCall(call: call).run(
            CoreDataStore(source.url.path, reader), to: destination)
    }

    /// Returns the database that `--from` names: by a URL, a name of the configuration, or the path of a SQLite file.
    private func source(_ text: String) throws -> AdministeredStore {
        let source: AdministeredStore
        let names = try call.tool.configuration(file: call.arguments["config"]).storeNames
        if StoreURL.isAddress(text) || names.contains(text) {
            source = try call.store(text)
        } else {
            let backend = call.tool.backends.first {
                $0.administration?.pathsAreFiles == true && $0.administration?.openForeignRows != nil
            }
            guard let backend else {
                throw AdminError.usage(
                    "this storectl can't read SQLite files.",
                    hint: "Use one that is built with the trait SQLite.")
            }
            let path = call.tool.environment.resolved(text)
            source = AdministeredStore(
                name: nil, url: try StoreURL("\(backend.schemes[0]):x").replacingPath(path), backend: backend,
                isProduction: false)
        }
        return try source.replacingSchema(call.arguments["schema"])
    }
}

extension CommandCall {
    /// Throws if one of the options is given.
    func refuse(_ options: [OptionDeclaration], _ reason: String) throws {
        guard let option = options.first(where: { arguments.isGiven($0.name) }) else { return }
        throw AdminError.usage("--\(option.name) \(reason)")
    }
}
