import ContextCore

extension SchemaTransition {
    /// The column with the version of a row from which its backfilled values were computed.
    static let filledVersion = pending + StoreNames.version

    /// Whether the backfill can run while programs of the older version write.
    ///
    /// Their writes increment the version of the row, so the backfilled values must depend on nothing but their own row.
    var allowsWritesDuringBackfill: Bool {
        let conversions = transition.to.hints.conversions
        guard transition.to.stages.isEmpty, !conversions.isEmpty else { return false }
        var entities: [String: String] = [:]
        for (path, text) in conversions {
            guard let layout = new.model.layout(named: String(path.prefix { $0 != "." })) else {
                return false
            }
            let entity = new.entities[layout.index]
            guard let table = commonOrigin(of: entity) else { continue }
            // A row stores one version for all of its backfilled values.
            guard entities.updateValue(layout.name, forKey: table) ?? layout.name == layout.name else {
                return false
            }
            let older = layout.familyIndices.compactMap { origin(of: new.entities[$0])?.layout }
            guard let names = (try? FetchExpression(text))?.ownNames,
                older.allSatisfy({ layout in
                    names.allSatisfy { layout.property(named: $0)?.attribute?.storage == .stored }
                })
            else { return false }
        }
        return !entities.isEmpty
    }
}

extension FetchExpression {
    /// The object's own properties that the value depends on, or nil if it may depend on others.
    fileprivate var ownNames: [String]? {
        switch self {
        case .literal: []
        case .path(let path): path.variable == nil && path.names.count == 1 ? path.names : nil
        case .arithmetic(_, let left, let right): Self.ownNames(of: [left, right])
        case .function(_, let arguments): Self.ownNames(of: arguments)
        case .object, .list, .conditional, .aggregate: nil
        }
    }

    private static func ownNames(of expressions: [FetchExpression]) -> [String]? {
        let names = expressions.map(\.ownNames)
        return names.contains(nil) ? nil : names.flatMap { $0 ?? [] }
    }
}
