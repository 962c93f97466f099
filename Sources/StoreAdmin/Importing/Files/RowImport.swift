import ContextCore

/// Writes imported rows to a store in batches, and finds the rows that can't be written.
///
/// A batch that the store refuses is halved until the refused rows are alone. Rows may refer to objects of the store, to earlier rows, and to
/// rows of the same batch.
struct RowImport {
    /// How to import.
    struct Options {
        /// The constraint by which rows update objects; nil to insert only.
        var key: UniqueColumns?
        /// The number of rows of a batch.
        var batchSize = 1000
        var author = "storectl import"
    }

    /// What has been written.
    struct Tally: Equatable {
        var inserted = 0
        var updated = 0
        var unchanged = 0
    }

    private let entity: EntityLayout
    private let model: ObjectModel
    private let options: Options
    /// The attributes with default values.
    private let defaults: [(property: PropertyLayout, initial: AttributeDefault)]
    private var lookup: ReferenceLookup
    private var batch: [ImportedRow] = []
    /// The values of the key of the batch's rows.
    private var keys: Set<[StoredValue]> = []
    private(set) var tally = Tally()

    init(_ entity: EntityLayout, _ model: ObjectModel, _ options: Options) {
        self.entity = entity
        self.model = model
        self.options = options
        lookup = ReferenceLookup(model)
        defaults = entity.defaults.map { (entity.properties[$0.slot], $0.initial) }
    }

    // MARK: Batches

    /// Adds a row, and writes a full batch.
    ///
    /// - Parameter reject: Gets each row that can't be written; it may throw to stop the import.
    mutating func add(
        _ row: ImportedRow, to session: any WriteSession, _ reject: (RejectedRow) throws -> Void
    ) throws {
        if let values = keyValues(row), !keys.insert(values).inserted {
            // Two rows of one batch must not have the same key, so the earlier one is written first.
            try flush(session, reject)
            keys = [values]
        }
        batch.append(row)
        if batch.count >= options.batchSize { try flush(session, reject) }
    }

    /// Writes the rows that are not written yet.
    mutating func flush(_ session: any WriteSession, _ reject: (RejectedRow) throws -> Void) throws {
        var rows = batch
        batch.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        while !rows.isEmpty {
            try lookup.resolve(&rows, session)
            let complete = rows.filter { $0.references.isEmpty }
            if complete.isEmpty { break }
            rows.removeAll { $0.references.isEmpty }
            try write(try withKey(complete, reject)[...], session, reject)
        }
        for row in rows {
            guard let reference = row.references.first else { continue }
            try reject(row.rejected(because: Self.reason(reference)))
        }
    }

    private static func reason(_ reference: ImportedRow.Reference) -> String {
        guard case .reference(let destination, _, let attribute) = reference.target.kind else { return "" }
        return "\(reference.target.path) refers to no \(destination.name): none has this \(attribute.name)"
    }

    /// Returns a row's values of the key; nil without a key, or if the row has a reference that isn't resolved yet.
    private func keyValues(_ row: ImportedRow) -> [StoredValue]? {
        guard let key = options.key else { return nil }
        var values: [StoredValue] = []
        for column in key.columns {
            guard let value = row.value(column) ?? row.reference(column)?.value, !value.isNull else {
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// Returns the rows with all columns of the key; the others can't be compared with stored objects.
    private func withKey(
        _ rows: [ImportedRow], _ reject: (RejectedRow) throws -> Void
    ) throws -> [ImportedRow] {
        guard let key = options.key else { return rows }
        return try rows.filter { row in
            guard let missing = key.columns.first(where: { row.value($0) == nil }) else { return true }
            let reason = "it has no \(entity.columns[missing].name), which is part of the key"
            try reject(row.rejected(because: reason))
            return false
        }
    }

    // MARK: Writing

    /// Writes rows as one batch; if the store refuses it, finds the rows that it refuses.
    private mutating func write(
        _ rows: ArraySlice<ImportedRow>, _ session: any WriteSession, _ reject: (RejectedRow) throws -> Void
    ) throws {
        if rows.isEmpty { return }
        guard let refusal = try perform(rows, session) else { return }
        if refusal.isValidation {
            let valid = try rows.filter { row in
                guard let reason = reasonOfInvalidity(row) else { return true }
                try reject(row.rejected(because: reason))
                return false
            }
            if valid.count < rows.count { return try write(valid[...], session, reject) }
        }
        if rows.count == 1, let row = rows.first { return try reject(row.rejected(because: refusal.reason)) }
        let middle = rows.startIndex + rows.count / 2
        try write(rows[..<middle], session, reject)
        try write(rows[middle...], session, reject)
    }

    /// Why the store refuses a batch.
    private struct Refusal {
        let reason: String
        /// Whether rows break rules of the model, which can be found without the store.
        var isValidation = false
    }

    /// Writes rows as one batch; returns the refusal if the store refuses them.
    private mutating func perform(
        _ rows: ArraySlice<ImportedRow>, _ session: any WriteSession
    ) throws -> Refusal? {
        let keys = try session.reserveKeys(rows.count, rootIndex: entity.rootIndex)
        do {
            let plan = BatchPlan(
                entityIndex: entity.index, operation: try operation(rows, keys), author: options.author)
            let receipt = try session.perform(plan)
            if let conflict = receipt.conflicts.first { return Refusal(reason: reason(conflict)) }
            let inserted = receipt.changes.count(where: { $0.kind == .insert })
            tally.inserted += inserted
            tally.unchanged += receipt.unchangedRows
            // Other updates are those of derived attributes.
            tally.updated += rows.count - inserted - receipt.unchangedRows
            return nil
        } catch let error as StoreError where Self.refusals.contains(error.code) {
            let message = error.message
            return Refusal(
                reason: message.hasSuffix(".") ? String(message.dropLast()) : message,
                isValidation: error.code == .validation)
        }
    }

    /// The errors that rows of a batch cause.
    private static let refusals: Set<StoreError.Code> = [
        .validation, .duplicate, .missingReference, .unsupportedRequest,
    ]

    private func reason(_ conflict: RowConflict) -> String {
        switch conflict.reason {
        case .duplicate(let constraint, let other):
            "another \(model.layouts[conflict.entityIndex].name) (\(other)) has the same \(constraint.joined(separator: ", "))"
        case .missingReference(let property): "\(property) refers to an object that doesn't exist"
        case .changed, .deleted, .denied: conflict.text(in: model)
        }
    }

    private func operation(
        _ rows: ArraySlice<ImportedRow>, _ keys: Range<Int64>
    ) throws -> BatchPlan.Operation {
        guard let key = options.key else { return .insert(try packed(rows, keys)) }
        var next = keys.lowerBound
        let groups = try groups(of: rows, key).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            columns, rows in
            defer { next += Int64(rows.count) }
            return BatchUpsert.Group(
                rows: try packed(rows, next..<next + Int64(rows.count)), columns: columns)
        }
        return .upsert(BatchUpsert(updating: groups, matching: key))
    }

    /// Returns the rows by the columns that they set in an object that exists.
    private func groups(of rows: ArraySlice<ImportedRow>, _ key: UniqueColumns) -> [[Int]: [ImportedRow]] {
        var groups: [[Int]: [ImportedRow]] = [:]
        // Most rows set the same columns as the row before.
        var last: (all: [Int], settable: [Int]) = ([], [])
        for row in rows {
            let columns = row.columns
            if columns != last.all { last = (columns, Set(columns).subtracting(key.columns).sorted()) }
            groups[last.settable, default: []].append(row)
        }
        return groups
    }

    /// Returns rows for the store, with default values in the columns that they don't set.
    private func packed(_ rows: some Collection<ImportedRow>, _ keys: Range<Int64>) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        for (row, key) in zip(rows, keys) {
            builder.beginRow(key: key, version: RowBatch.firstVersion, entityIndex: entity.index)
            for (property, initial) in defaults where !property.columns.allSatisfy({ row.value($0) != nil }) {
                builder.set(property, to: initial.storedValue)
            }
            for value in row.values { builder.set(value.column, to: value.value) }
        }
        return try builder.finish()
    }

    /// Returns the first rule that a row breaks as a new object; nil if it is valid.
    private func reasonOfInvalidity(_ row: ImportedRow) -> String? {
        do {
            let rows = try packed(CollectionOfOne(row), 1..<2)
            try BatchPlan(entityIndex: entity.index, operation: .insert(rows)).check(rows, model)
            return nil
        } catch {
            return (error as? StoreError)?.failures.first.map { "\($0.property ?? "it") \($0.rule)" }
        }
    }
}

extension ImportedRow {
    fileprivate func rejected(because reason: String) -> RejectedRow {
        RejectedRow(line: line, source: source, reason: reason)
    }

    /// Returns the unresolved reference that sets a column.
    fileprivate func reference(_ column: Int) -> Reference? {
        references.first { $0.target.column == column }
    }
}
