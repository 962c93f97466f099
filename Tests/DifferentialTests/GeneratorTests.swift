import ContextCore
import Foundation
import Testing

/// The coverage of the random generators: every feature that the differential tests claim to compare must occur.
struct GeneratorTests {
    private struct Found {
        var features: Set<String> = []

        mutating func record(_ feature: String, if isThere: Bool = true) {
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
            record(models.model(), &found)
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

    private func record(_ model: ObjectModel, _ found: inout Found) {
        found.record("\(model.layouts.count) entities")
        for layout in model.layouts {
            found.record("tree of three", if: model.layouts[layout.rootIndex].familyIndices.count > 2)
            found.record("abstract", if: layout.isAbstract)
            found.record("unique", if: !layout.uniqueConstraints.isEmpty)
            found.record("index", if: !layout.description.indexes.isEmpty)
            found.record("partial index", if: layout.description.indexes.contains { $0.predicate != nil })
            for property in layout.properties {
                if let attribute = property.attribute { found.record(Self.name(of: attribute.type)) }
                if let relationship = property.relationship { record(relationship, in: layout, &found) }
            }
        }
    }

    private func record(_ relationship: RelationshipLayout, in layout: EntityLayout, _ found: inout Found) {
        let description = relationship.description
        found.record("\(description.deleteRule)")
        found.record("its own inverse", if: description.inverseName == description.name)
        found.record("to its own entity", if: relationship.destinationIndex == layout.index)
        if relationship.isManyToMany {
            found.record(description.isOrdered ? "ordered many to many" : "many to many")
        } else if description.isToMany {
            found.record(description.isOrdered ? "ordered one to many" : "one to many")
        } else {
            found.record("one to one", if: !relationship.inverseIsToMany)
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
            found.record("empty text", if: text.isEmpty)
            found.record("composed", if: text.utf8.elementsEqual("é".utf8))
            found.record("decomposed", if: text.utf8.elementsEqual("e\u{301}".utf8))
            found.record("beyond the first plane", if: text.unicodeScalars.contains { $0.value > 0xFFFF })
            found.record("quote", if: text.contains("'") || text.contains("\""))
            let integer = values.integer()
            found.record("greatest integer", if: integer == .max)
            found.record("least integer", if: integer == .min)
            let double = values.double()
            found.record("infinity", if: double == .infinity)
            found.record("negative infinity", if: double == -.infinity)
            found.record("zero", if: double == 0)
            let decimal = values.decimal(38, 10)
            found.record("38 digits", if: "\(decimal.magnitude)".filter(\.isNumber).count == 38)
            let moment = values.moment()
            found.record("before 1970", if: moment < 0)
            found.record("far future", if: moment == .max)
            found.record("empty data", if: values.data().isEmpty)
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
                record(request, &found)
                text += "\(request.predicate.map { "\($0)" } ?? "")\n\(request.order.map(\.expression))\n"
                request = requests.request(after: request)
            }
        }
        let kinds = [
            "rows", "columns", "values", "distinct", "groups", "having", "update", "upsert", "ignoring",
            "delete", "limit",
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

    private func record(_ request: RandomRequest, _ found: inout Found) {
        switch request.kind {
        case .rows(let columns): found.record(columns == nil ? "rows" : "columns")
        case .values(_, let isDistinct): found.record(isDistinct ? "distinct" : "values")
        case .groups(_, _, let having, _): found.record(having == nil ? "groups" : "having")
        case .update: found.record("update")
        case .upsert(let upsert): found.record(upsert.constraint == nil ? "ignoring" : "upsert")
        case .delete: found.record("delete")
        }
        found.record("limit", if: request.limit != nil)
        found.record("offset", if: request.offset > 0)
        found.record("two keys", if: request.order.count == 2)
        found.record("nulls last", if: request.order.contains { $0.nullsFirst == false })
        found.record("without subentities", if: !request.includesSubentities)
    }
}
