/// Checks that the predicates of a model's partial indexes parse, fit their entities, and use only what a partial index supports.
struct IndexPredicateChecking {
    let hierarchy: EntityHierarchy

    init(_ hierarchy: EntityHierarchy) {
        self.hierarchy = hierarchy
    }

    func check(_ problems: inout ModelProblems) {
        guard hierarchy.entities.contains(where: { $0.indexes.contains { $0.predicate != nil } }) else {
            return
        }
        let model = ObjectModel(sketching: hierarchy)
        for (entity, layout) in zip(hierarchy.entities, model.layouts) {
            for index in entity.indexes {
                guard let predicate = index.predicate, let message = Self.message(predicate, layout, model)
                else { continue }
                problems.report(.invalidIndex, entity.name, index.elements.first?.property, message)
            }
        }
    }

    private static func message(_ text: String, _ entity: EntityLayout, _ model: ObjectModel) -> String? {
        if text.allSatisfy(\.isWhitespace) {
            return "The predicate of an index can't be empty. Write a predicate, or omit the parameter."
        }
        do {
            let predicate = try FetchPredicate(text, arguments: []).resolved(for: entity, in: model)
            return IndexPredicateSupport(entity: entity).obstacle(in: predicate).map { obstacle in
                "The predicate of an index can't use \(obstacle). It can only compare columns of its entity with constants "
                    + "or with each other."
            }
        } catch let error as PredicateSyntaxError {
            return "The predicate of its index has a syntax error. \(error.description)"
        } catch {
            return "The predicate of its index is invalid. \(error)"
        }
    }
}

/// Finds the parts of a predicate that a partial index doesn't support.
///
/// A partial index supports what both databases allow: comparisons of columns and constants. An index that used the library's own
/// SQL functions would make the SQLite file unusable in other programs.
private struct IndexPredicateSupport {
    let entity: EntityLayout

    func obstacle(in predicate: ResolvedPredicate) -> String? {
        switch predicate {
        case .constant: "a condition that is always true or always false"
        case .compare(let left, _, let right): obstacle(in: left) ?? obstacle(in: right)
        case .isNull(let value), .isMember(let value, of: _): obstacle(in: value)
        case .truth(let inner, is: _), .not(let inner): obstacle(in: inner)
        case .and(let members), .or(let members): members.lazy.compactMap(obstacle).first
        case .text, .like, .matches: "BEGINSWITH, ENDSWITH, CONTAINS, LIKE or MATCHES"
        case .isEntity: "IS, the test of an object's entity"
        case .exists: "a to-many relationship"
        }
    }

    private func obstacle(in value: ResolvedExpression) -> String? {
        switch value.node {
        case .constant: nil
        case .property(let property): obstacle(in: property)
        case .function(.convert, let values): values.lazy.compactMap(obstacle).first
        case .function, .arithmetic, .conditional: "functions or calculations"
        case .aggregate: "a to-many relationship"
        }
    }

    private func obstacle(in property: ResolvedProperty) -> String? {
        guard property.hops.isEmpty, case .column(let column) = property.target else {
            return "relationships or SELF"
        }
        let layout = entity.properties[entity.columns[column].slot]
        return layout.attribute?.externalThreshold == nil
            ? nil : "“\(layout.name)”, whose values may be stored outside the row"
    }
}
