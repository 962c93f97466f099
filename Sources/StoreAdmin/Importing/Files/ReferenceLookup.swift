import ContextCore

/// Finds the objects that imported rows refer to by a unique value.
///
/// It keeps found keys, up to a limit, since many rows usually refer to the same few objects.
struct ReferenceLookup {
    private struct Place: Hashable {
        let entityIndex: Int
        let column: Int
    }

    /// The maximum number of keys to keep.
    private static let capacity = 100_000

    private let model: ObjectModel
    private var known: [Place: [StoredValue: Int64]] = [:]

    init(_ model: ObjectModel) { self.model = model }

    /// Resolves the references of rows; those whose target doesn't exist stay unresolved.
    mutating func resolve(_ rows: inout [ImportedRow], _ session: any ReadSession) throws {
        resolveKnown(&rows)
        var wanted: [Place: Set<StoredValue>] = [:]
        for row in rows {
            for reference in row.references {
                guard let place = Self.place(of: reference.target) else { continue }
                wanted[place, default: []].insert(reference.value)
            }
        }
        if wanted.isEmpty { return }
        for (place, values) in wanted.sorted(by: {
            ($0.key.entityIndex, $0.key.column) < ($1.key.entityIndex, $1.key.column)
        }) {
            try load(values, place, session)
        }
        resolveKnown(&rows)
        if known.values.reduce(0, { $0 + $1.count }) > Self.capacity { known = [:] }
    }

    private func resolveKnown(_ rows: inout [ImportedRow]) {
        for index in rows.indices where !rows[index].references.isEmpty {
            rows[index].resolveReferences { reference in
                Self.place(of: reference.target).flatMap { known[$0]?[reference.value] }
            }
        }
    }

    private static func place(of target: ImportTarget) -> Place? {
        guard case .reference(let destination, let column, _) = target.kind else { return nil }
        return Place(entityIndex: destination.index, column: column)
    }

    private mutating func load(
        _ values: Set<StoredValue>, _ place: Place, _ session: any ReadSession
    ) throws {
        let layout = model.layouts[place.entityIndex]
        let path = FetchExpression.path(PropertyPath(layout.columns[place.column].name))
        let list = FetchExpression.list(values.map(FetchExpression.literal))
        let predicate = try FetchPredicate.comparing(path, .in, list).resolved(for: layout, in: model)
        let rows = try session.fetch(
            FetchPlan(entityIndex: layout.index, predicate: predicate, columns: [place.column]))
        for row in 0..<rows.count {
            known[place, default: [:]][rows.value(place.column, at: row)] = rows.key(at: row)
        }
    }
}

extension ImportedRow {
    /// Replaces the references whose target is found by values.
    fileprivate mutating func resolveReferences(_ key: (Reference) -> Int64?) {
        var rest: [Reference] = []
        for reference in references {
            if let key = key(reference) {
                set(.int(key), in: reference.target.column)
            } else {
                rest.append(reference)
            }
        }
        references = rest
    }
}
