import ContextCore
import Foundation

/// An import of a Core Data store: its model converted, its rows surveyed, and both ready to be copied.
struct CoreDataImport {
    let store: CoreDataStore
    /// The name of the source's version.
    let versionName: String?
    let model: ObjectModel
    let remarks: [ImportRemark]
    let losses: [ImportLoss]
    let facts: CoreDataFacts
    private let mapping: CoreDataMapping
    private let places: CoreDataPlaces

    /// Reads the model and surveys the rows.
    ///
    /// - Parameters:
    ///   - file: The file of the model; nil to use the model that the store caches in itself.
    ///   - progress: Reports progress, and throws to stop.
    init(
        _ store: CoreDataStore, _ file: CoreDataModelFile?,
        progress: @escaping (String, Int, Int) throws -> Void
    ) throws {
        self.store = store
        let source: CoreDataModel
        if let file {
            let version = try Self.version(of: file, for: store)
            (source, versionName) = (version.model, version.name)
        } else {
            (source, versionName) = (try store.cachedModel(), nil)
        }
        let tables = CoreDataTables(source, store.schema)
        try Self.check(tables.mismatches, "the model doesn't fit the store \(store.path)")
        places = CoreDataPlaces(model: source, tables: tables)
        let survey = CoreDataSurvey(
            reader: store.reader, places: places, schema: store.schema, values: store.values,
            progress: progress)
        try Self.check(try survey.misplacedColumns(), "properties of the same name can't be distinguished")
        facts = try survey.facts()
        var conversion = CoreDataConversion(source, facts)
        model = try conversion.validModel()
        mapping = CoreDataMapping(model, conversion, places)
        if try store.hasHistory() {
            conversion.remark(
                .omitted, "ATRANSACTION", "the persistent history; the history of the new store begins empty."
            )
        }
        remarks = conversion.remarks
        losses = Self.losses(facts)
    }

    /// A session that reads the store in the terms of the model.
    var session: CoreDataSession {
        CoreDataSession(model, mapping, store.reader, store.values, storeID: store.storeID)
    }

    /// The greatest key that Core Data has assigned in an inheritance tree, which must not be assigned again.
    func maxKey(ofRoot root: EntityLayout) -> Int64 {
        let numbers = Set(root.familyIndices.compactMap { mapping.entities[$0]?.number })
        let keys = store.schema.entities.filter { numbers.contains($0.number) }.map(\.maxKey)
        return min(keys.max() ?? 0, CoreDataQueries.maxKey)
    }

    // MARK: Versions

    /// Returns the version of a model with which a store was saved.
    private static func version(
        of file: CoreDataModelFile, for store: CoreDataStore
    ) throws -> CoreDataModelFile.Version {
        if !store.versionHashes.isEmpty,
            let same = file.versions.first(where: { $0.hashes == store.versionHashes })
        {
            return same
        }
        let current = [file.current].compactMap(\.self)
        let candidates = current + file.versions.reversed().filter { $0.name != file.current?.name }
        let tables = candidates.map { CoreDataTables($0.model, store.schema) }
        let best = tables.firstIndex(where: \.fitExactly) ?? tables.firstIndex { $0.mismatches.isEmpty }
        if let best { return candidates[best] }
        let mismatches = tables.first?.mismatches ?? []
        let what =
            file.versions.count == 1
            ? "the model \(file.path) doesn't fit" : "no version of \(file.path) fits"
        throw AdminError.badData(
            ([what + " the store \(store.path):"] + mismatches.prefix(20)).joined(separator: "\n"),
            hint:
                "Name the model with which the store was last opened, or leave out --coredata to use the store's own copy."
        )
    }

    private static func check(_ problems: [String], _ what: String) throws {
        if problems.isEmpty { return }
        throw AdminError.badData(
            (["\(what):"] + problems.prefix(20)).joined(separator: "\n"),
            hint: "Name the model with which the store was last opened with --coredata.")
    }

    // MARK: Losses

    private static func losses(_ facts: CoreDataFacts) -> [ImportLoss] {
        var losses: [ImportLoss] = []
        func add(_ name: String, _ reason: String, _ loss: CoreDataFacts.Loss) {
            if loss.count > 0 {
                losses.append(ImportLoss(name: name, reason: reason, count: loss.count, keys: loss.keys))
            }
        }
        for (property, attribute) in facts.attributes {
            for problem in CoreDataValues.Problem.allCases {
                if let loss = attribute.losses[problem] { add(property.text, problem.rawValue, loss) }
            }
        }
        for (property, reference) in facts.references {
            add(property.text, "the reference is to an object that does not exist", reference.dangling)
        }
        for (property, loss) in facts.danglingLinks {
            add(property.text, "the link has an object that does not exist", loss)
        }
        for (name, loss) in facts.unknownParts { add(name, "the model has no such column or entity", loss) }
        for (table, loss) in facts.strayRows {
            add(table, "the row is of no entity of the model, or has no key above 0", loss)
        }
        return losses.sorted { ($0.name, $0.reason) < ($1.name, $1.reason) }
    }
}
