import ContextCore
import Foundation
import Testing

/// The coverage of the random generators: every feature that the differential tests claim to compare must occur.
struct GeneratorTests {
    private struct Found {
        var features: Set<String> = []

        mutating func note(_ feature: String, if isThere: Bool = true) {
            if isThere { features.insert(feature) }
        }
    }

    private func missing(_ wanted: [String], in found: Found) -> [String] {
        wanted.filter { !found.features.contains($0) }
    }

    // MARK: Models

    @Test func `Models have all types, trees of entities and relationships of all kinds`() {
        var found = Found()
        for seed in 1...40 as ClosedRange<UInt64> {
            var models = RandomModel(random: SeededGenerator(seed: seed))
            note(models.model(), &found)
        }
        let types = [
            "bool", "int16", "int32", "int64", "float", "double", "string", "url", "data", "date", "uuid",
            "composite", "decimal 9 2", "decimal 18 4", "decimal 38 10", "decimal 20 0",
        ]
        let shapes = [
            "5 entities", "15 entities", "tree of three", "abstract", "unique", "index", "partial index",
            "one to one", "one to many", "ordered one to many", "many to many", "ordered many to many",
            "its own inverse", "to its own entity", "nullify", "cascade", "deny", "noAction",
        ]
        #expect(missing(types + shapes, in: found) == [])
    }

    private func note(_ model: ObjectModel, _ found: inout Found) {
        found.note("\(model.layouts.count) entities")
        for layout in model.layouts {
            found.note("tree of three", if: model.layouts[layout.rootIndex].familyIndices.count > 2)
            found.note("abstract", if: layout.isAbstract)
            found.note("unique", if: !layout.uniqueConstraints.isEmpty)
            found.note("index", if: !layout.description.indexes.isEmpty)
            found.note("partial index", if: layout.description.indexes.contains { $0.predicate != nil })
            for property in layout.properties {
                if let attribute = property.attribute { found.note(Self.name(of: attribute.type)) }
                if let relationship = property.relationship { note(relationship, in: layout, &found) }
            }
        }
    }

    private func note(_ relationship: RelationshipLayout, in layout: EntityLayout, _ found: inout Found) {
        let description = relationship.description
        found.note("\(description.deleteRule)")
        found.note("its own inverse", if: description.inverseName == description.name)
        found.note("to its own entity", if: relationship.destinationIndex == layout.index)
        if relationship.isManyToMany {
            found.note(description.isOrdered ? "ordered many to many" : "many to many")
        } else if description.isToMany {
            found.note(description.isOrdered ? "ordered one to many" : "one to many")
        } else {
            found.note("one to one", if: !relationship.inverseIsToMany)
        }
    }

    private static func name(of type: AttributeType) -> String {
        switch type {
        case .decimal(let precision, let scale): "decimal \(precision) \(scale)"
        case .composite: "composite"
        default: "\(type)"
        }
    }

    // MARK: Values

    @Test func `Values include the edge cases`() {
        var found = Found()
        var values = RandomValues(random: SeededGenerator(seed: 1))
        for _ in 0..<4000 {
            let text = values.text()
            found.note("empty text", if: text.isEmpty)
            found.note("composed", if: text.utf8.elementsEqual("é".utf8))
            found.note("decomposed", if: text.utf8.elementsEqual("e\u{301}".utf8))
            found.note("beyond the first plane", if: text.unicodeScalars.contains { $0.value > 0xFFFF })
            found.note("quote", if: text.contains("'") || text.contains("\""))
            let integer = values.integer()
            found.note("greatest integer", if: integer == .max)
            found.note("least integer", if: integer == .min)
            let double = values.double()
            found.note("infinity", if: double == .infinity)
            found.note("negative infinity", if: double == -.infinity)
            found.note("zero", if: double == 0)
            let decimal = values.decimal(38, 10)
            found.note("38 digits", if: "\(decimal.magnitude)".filter(\.isNumber).count == 38)
            let moment = values.moment()
            found.note("before 1970", if: moment < 0)
            found.note("far future", if: moment == .max)
            found.note("empty data", if: values.data().isEmpty)
        }
        let wanted = [
            "empty text", "composed", "decomposed", "beyond the first plane", "quote", "greatest integer",
            "least integer", "infinity", "negative infinity", "zero", "38 digits", "before 1970",
            "far future", "empty data",
        ]
        #expect(missing(wanted, in: found) == [])
    }

    // MARK: Requests

    @Test func `Requests are of every kind, with every predicate`() {
        var found = Found()
        var text = ""
        for seed in 1...24 as ClosedRange<UInt64> {
            var models = RandomModel(random: SeededGenerator(seed: seed))
            let model = models.model()
            var requests = RandomRequests(
                predicates: RandomPredicates(model: model, values: RandomValues(random: models.random)))
            var request = requests.request()
            for _ in 0..<250 {
                note(request, &found)
                text += "\(request.predicate.map { "\($0)" } ?? "")\n\(request.order.map(\.expression))\n"
                request = requests.request(after: request)
            }
        }
        let kinds = [
            "rows", "columns", "values", "distinct", "groups", "having", "update", "delete", "limit",
            "offset",
            "two keys", "nulls last", "without subentities",
        ]
        #expect(missing(kinds, in: found) == [])
        let words =
            [" AND ", " OR ", "NOT ", "IS UNKNOWN", "SUBQUERY", "TERNARY", "-0.0", "\\u{0}", "[cd]", "NIL"]
            + [
                "ANY ", "ALL ", "NONE ", "ANY(", "ALL(", "NONE(", "@count", "@sum", "@avg", "@min", "@max",
                " + ", " - ", " * ", " / ",
            ]
            + ComparisonOperator.allCases.map { " \($0.rawValue)" }
            + FetchFunction.allCases.filter { $0 != .now && $0 != .negate }.map { "\($0.rawValue)(" }
        #expect(words.filter { !text.contains($0) } == [])
    }

    private func note(_ request: RandomRequest, _ found: inout Found) {
        switch request.kind {
        case .rows(let columns): found.note(columns == nil ? "rows" : "columns")
        case .values(_, let isDistinct): found.note(isDistinct ? "distinct" : "values")
        case .groups(_, _, let having, _): found.note(having == nil ? "groups" : "having")
        case .update: found.note("update")
        case .delete: found.note("delete")
        }
        found.note("limit", if: request.limit != nil)
        found.note("offset", if: request.offset > 0)
        found.note("two keys", if: request.order.count == 2)
        found.note("nulls last", if: request.order.contains { $0.nullsFirst == false })
        found.note("without subentities", if: !request.includesSubentities)
    }
}
