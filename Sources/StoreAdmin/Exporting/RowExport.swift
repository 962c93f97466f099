import ContextCore

/// Writes objects of an entity as rows of a CSV or JSON Lines file, which `data import --entity` reads.
struct RowExport {
    /// A column of the file.
    struct Field: Sendable {
        fileprivate enum Kind: Sendable {
            case attribute(AttributeType)
            /// The unique attribute of the object that a reference refers to.
            case reference(to: Int, column: Int, AttributeType)
        }

        let name: String
        fileprivate let column: Int
        fileprivate let kind: Kind

        fileprivate var type: AttributeType {
            switch kind {
            case .attribute(let type), .reference(_, _, let type): type
            }
        }
    }

    private let session: any ReadSession
    private let entity: EntityLayout
    private let model: ObjectModel
    private let format: RowFile.Format
    private let fields: [Field]

    /// - Parameter names: The fields to write; nil for all stored attributes, and for references to objects with a unique attribute.
    init(
        _ session: any ReadSession, _ entity: EntityLayout, _ model: ObjectModel, _ format: RowFile.Format,
        names: [String]?
    ) throws {
        self.session = session
        self.entity = entity
        self.model = model
        self.format = format
        fields =
            try names.map { try $0.map { try Self.field($0, entity, model) } }
            ?? Self.allFields(entity, model)
    }

    // MARK: Fields

    private static func allFields(_ entity: EntityLayout, _ model: ObjectModel) throws -> [Field] {
        try entity.properties.flatMap { property -> [Field] in
            switch property.kind {
            case .attribute(let attribute):
                guard case .stored = attribute.storage, attribute.transformerName == nil else { return [] }
                return try property.columns.map { try field(entity.columns[$0].name, entity, model) }
            case .relationship(let relationship):
                guard !property.columns.isEmpty, !relationship.isOneToOne else { return [] }
                let destination = model.layouts[relationship.destinationIndex]
                guard let unique = ImportTargets.uniqueAttributes(of: destination).first else { return [] }
                return [try field("\(property.name).\(unique)", entity, model)]
            }
        }
    }

    private static func field(
        _ name: String, _ entity: EntityLayout, _ model: ObjectModel
    ) throws -> Field {
        // Derived attributes can't be imported, but they can be written.
        if let column = entity.columns.firstIndex(where: { $0.name == name }),
            case .attribute(let type) = entity.columns[column].kind
        {
            return Field(name: name, column: column, kind: .attribute(type))
        }
        guard let target = try ImportTargets(entity, in: model, map: [:]).target(name) else {
            throw AdminError.usage("“\(name)” can't be exported.")
        }
        switch target.kind {
        case .attribute(let attribute):
            return Field(name: name, column: target.column, kind: .attribute(attribute.type))
        case .reference(let destination, let column, let attribute):
            return Field(
                name: name, column: target.column,
                kind: .reference(to: destination.index, column: column, attribute.type))
        }
    }

    // MARK: Writing

    /// Writes the objects that satisfy a predicate, and returns their number.
    ///
    /// - Parameters:
    ///   - order: The order of the rows; if it is empty, that of the objects' keys.
    ///   - progress: Gets the number of objects that are done, and that of all.
    ///   - write: Writes a piece of the file.
    func write(
        where predicate: ResolvedPredicate?, order: [ResolvedSortKey], progress: (Int, Int) -> Void,
        _ write: (String) throws -> Void
    ) throws -> Int {
        let keys = try order.isEmpty ? keys(where: predicate) : keys(where: predicate, order: order)
        if format != .jsonl { try write(line(fields.map { csv.field($0.name) })) }
        var done = 0
        try session.forEachBatch(of: keys, entityIndex: entity.index) { part, batch in
            let unique = try uniqueValues(batch)
            let places = Dictionary((0..<batch.count).map { (batch.key(at: $0), $0) }) { first, _ in first }
            let text = try part.compactMap { key in
                try places[key].map { row in
                    try self.line(fields.map { value($0, batch, row, unique) })
                }
            }
            try write(text.joined())
            done += part.count
            progress(done, keys.count)
        }
        return keys.count
    }

    /// Returns the keys of the objects that satisfy a predicate, fetched in pages.
    private func keys(where predicate: ResolvedPredicate?, page: Int = 50_000) throws -> [Int64] {
        var keys: [Int64] = []
        while true {
            let last = keys.last.map { key in
                ResolvedPredicate.compare(
                    .key(of: entity), .greater,
                    ResolvedExpression(
                        .constant(.int(key)), type: .object(entityIndex: entity.index), isNullable: false))
            }
            let batch = try session.fetch(
                FetchPlan(
                    entityIndex: entity.index, predicate: Self.joined([predicate, last].compactMap(\.self)),
                    limit: page, columns: []))
            for row in 0..<batch.count { keys.append(batch.key(at: row)) }
            if batch.count < page { return keys }
        }
    }

    /// Returns the keys of the objects that satisfy a predicate, in an order.
    private func keys(where predicate: ResolvedPredicate?, order: [ResolvedSortKey]) throws -> [Int64] {
        let plan = FetchPlan(entityIndex: entity.index, predicate: predicate, order: order, columns: [])
        let batch = try session.fetch(plan)
        return (0..<batch.count).map { batch.key(at: $0) }
    }

    private static func joined(_ predicates: [ResolvedPredicate]) -> ResolvedPredicate? {
        predicates.count < 2 ? predicates.first : .and(predicates)
    }

    /// Returns the unique values of the objects that rows refer to, by field and key.
    private func uniqueValues(_ batch: RowBatch) throws -> [String: [Int64: StoredValue]] {
        var values: [String: [Int64: StoredValue]] = [:]
        for field in fields {
            guard case .reference(let destination, let column, _) = field.kind else { continue }
            let targets = Set((0..<batch.count).compactMap { StoredRow(batch, $0).reference(field.column) })
            if targets.isEmpty { continue }
            let rows = try session.rows(targets.sorted(), entityIndex: destination)
            for row in 0..<rows.count {
                values[field.name, default: [:]][rows.key(at: row)] = rows.value(column, at: row)
            }
        }
        return values
    }

    private func value(
        _ field: Field, _ batch: RowBatch, _ row: Int, _ unique: [String: [Int64: StoredValue]]
    ) -> String {
        let value: StoredValue =
            switch field.kind {
            case .attribute: batch.value(field.column, at: row)
            case .reference:
                StoredRow(batch, row).reference(field.column).flatMap { unique[field.name]?[$0] } ?? .null
            }
        let json = value.fileValue(of: field.type)
        if format == .jsonl { return JSONValue.object([field.name: json]).text }
        switch json {
        case .null: return ""
        case .string(let text): return text.isEmpty ? CSVText.inQuotes("") : csv.field(text)
        default: return csv.field(json.text)
        }
    }

    private var csv: CSVText { CSVText(delimiter: UInt8(ascii: format == .tsv ? "\t" : ",")) }

    /// - Throws: ``AdminError`` for a CSV record of one null, which readers skip as an empty line.
    private func line(_ texts: [String]) throws(AdminError) -> String {
        if format == .jsonl {
            // Each text is an object of one member.
            return "{" + texts.map { $0.dropFirst().dropLast() }.joined(separator: ",") + "}\n"
        }
        if texts == [""] {
            throw .badData(
                "an object has no value of \(fields[0].name), and a file of this format can't contain that in its only column.",
                hint: "Add another field, or use --format jsonl.")
        }
        return csv.record(texts)
    }
}
