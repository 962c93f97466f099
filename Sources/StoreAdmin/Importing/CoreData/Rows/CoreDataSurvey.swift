import ContextCore
import Foundation

/// Reads all rows of a Core Data store once, to find what the model depends on and what can't be taken over.
struct CoreDataSurvey {
    let reader: any ForeignRowReader
    let places: CoreDataPlaces
    let schema: CoreDataSchema
    let values: CoreDataValues
    /// Reports progress: an entity's name, the number of its objects that are done, and their total.
    var progress: (String, Int, Int) throws -> Void = { _, _, _ in }

    func facts() throws -> CoreDataFacts {
        var facts = CoreDataFacts()
        for entity in places.model.entities where places.tables.entities[entity.name] != nil {
            try readRows(of: entity.name, &facts)
            try readReferences(of: entity.name, &facts)
        }
        try readLinks(&facts)
        try readStrayRows(&facts)
        try readUnknownParts(&facts)
        return facts
    }

    /// Returns a sentence for each column that has values in rows of entities to which it doesn't belong.
    ///
    /// Properties of one name have numbered columns. If Core Data numbered them in another order than this reader assumes, values would
    /// go to the wrong property.
    func misplacedColumns() throws -> [String] {
        try places.tables.sharedNames.compactMap { shared in
            let count = try number(
                """
                SELECT count(*) FROM \(CoreDataQueries.quoted(shared.table)) \
                WHERE \(CoreDataQueries.quoted(shared.column)) IS NOT NULL \
                AND Z_ENT NOT IN (\(CoreDataQueries.list(shared.entities)))
                """)
            return count == 0
                ? nil
                : "the column \(shared.table).\(shared.column) has values of other entities than \(shared.property)"
        }
    }

    // MARK: Attributes

    private func readRows(of entity: String, _ facts: inout CoreDataFacts) throws {
        guard let place = places.tables.entities[entity] else { return }
        let condition = rows(of: place)
        let total = try number("SELECT count(*) \(condition)")
        facts.counts[entity] = total
        let leaves = places.leaves(of: entity)
        let composites = Dictionary(grouping: leaves.indices) { leaves[$0].composite }
        var tallies = leaves.map { facts.attributes[$0.property] ?? CoreDataFacts.Attribute() }
        let validations = leaves.map { Self.validation(of: $0.attribute) }
        let columns = ["s.Z_PK"] + leaves.map { "s." + CoreDataQueries.quoted($0.column) }
        var done = 0
        try reader.forEachRow(of: "SELECT \(columns.joined(separator: ", ")) \(condition)", []) { row in
            for (composite, indices) in composites {
                // Of a composite without any value the parts aren't missing, but the composite is.
                if let composite, indices.allSatisfy({ row[$0 + 1].isNull }) {
                    facts.attributes[composite, default: .init()].missing += 1
                    continue
                }
                for index in indices {
                    read(
                        row[index + 1], leaves[index].attribute, row[0].integer ?? 0, validations[index],
                        &tallies[index])
                }
            }
            done += 1
            if done.isMultiple(of: 1000) { try progress(entity, done, total) }
        }
        for (index, leaf) in leaves.enumerated() { facts.attributes[leaf.property] = tallies[index] }
    }

    private func read(
        _ raw: StoredValue, _ attribute: CoreDataModel.Attribute, _ key: Int64,
        _ validation: ValueValidation?,
        _ tally: inout CoreDataFacts.Attribute
    ) {
        let value: StoredValue
        do throws(CoreDataValues.Problem) {
            value = try values.value(raw, attribute)
        } catch {
            tally.losses[error, default: .init()].add(key)
            tally.missing += 1
            return
        }
        switch value {
        case .null:
            tally.missing += 1
            return
        case .decimal(let number):
            let digits = number.digitCounts
            tally.wholeDigits = max(tally.wholeDigits, digits.whole)
            tally.fractionDigits = max(tally.fractionDigits, digits.fraction)
        case .data(let data) where attribute.type == .transformable:
            if tally.isPlain, PlainValues.json(of: data) == nil { tally.isPlain = false }
        case .string(let text) where attribute.type == .uri:
            if tally.isURL, URL(string: text) == nil { tally.isURL = false }
        default: break
        }
        tally.values += 1
        if let validation, !validation.failures(of: value).isEmpty { tally.violations += 1 }
    }

    /// Returns the check of an attribute's rules; nil if it has none.
    private static func validation(of attribute: CoreDataModel.Attribute) -> ValueValidation? {
        let types: [CoreDataModel.AttributeType: AttributeType] = [
            .int16: .int16, .int32: .int32, .int64: .int64, .double: .double, .float: .float,
            .string: .string,
            .date: .date,
        ]
        guard let type = types[attribute.type] else { return nil }
        let rules = CoreDataConversion.rules(of: attribute, type)
        return rules.isEmpty ? nil : ValueValidation(AttributeDescription(attribute.name, type, rules: rules))
    }

    // MARK: References and links

    private func readReferences(of entity: String, _ facts: inout CoreDataFacts) throws {
        guard let place = places.tables.entities[entity] else { return }
        for reference in places.references(of: entity) {
            let column = "s." + CoreDataQueries.quoted(reference.column)
            let rows = rows(of: place)
            var tally = facts.references[reference.property] ?? CoreDataFacts.Reference()
            tally.missing += try number("SELECT count(*) \(rows) AND \(column) IS NULL")
            let exists = destinationExists(reference, column)
            try record(
                "FROM (SELECT s.Z_PK AS k \(rows) AND \(column) IS NOT NULL AND NOT \(exists))",
                &tally.dangling,
                also: &tally.missing)
            if let back = reference.backColumn, let table = places.table(of: reference.destination) {
                tally.disagreements += try number(
                    """
                    SELECT count(*) \(rows) AND \(exists) AND NOT EXISTS (SELECT 1 FROM \(CoreDataQueries.quoted(table)) AS b \
                    WHERE b.Z_PK = \(column) AND b.\(CoreDataQueries.quoted(back)) = s.Z_PK)
                    """)
            }
            facts.references[reference.property] = tally
        }
    }

    private func destinationExists(_ reference: CoreDataPlaces.Reference, _ column: String) -> String {
        guard let table = places.table(of: reference.destination) else { return "0" }
        return CoreDataQueries.exists(column, table, places.numbers(ofFamily: reference.destination))
    }

    private func readLinks(_ facts: inout CoreDataFacts) throws {
        for entity in places.model.entities {
            for relationship in entity.relationships {
                guard
                    case .links(let link)? = places.tables.entities[entity.name]?.collections[
                        relationship.name],
                    let owners = places.table(of: entity.name),
                    let targets = places.table(of: relationship.destination)
                else { continue }
                let ownerExists = CoreDataQueries.exists(
                    "l." + CoreDataQueries.quoted(link.owner), owners, places.numbers(ofFamily: entity.name))
                let targetExists = CoreDataQueries.exists(
                    "l." + CoreDataQueries.quoted(link.target), targets,
                    places.numbers(ofFamily: relationship.destination))
                var (loss, ignored) = (CoreDataFacts.Loss(), 0)
                try record(
                    """
                    FROM (SELECT l.\(CoreDataQueries.quoted(link.owner)) AS k FROM \(CoreDataQueries.quoted(link.table)) AS l \
                    WHERE NOT \(ownerExists) OR NOT \(targetExists))
                    """, &loss, also: &ignored)
                if loss.count > 0 {
                    facts.danglingLinks[
                        CoreDataFacts.Property(entity: entity.name, name: relationship.name)] = loss
                }
            }
        }
    }

    private func readStrayRows(_ facts: inout CoreDataFacts) throws {
        for table in Set(places.tables.entities.values.map(\.table)).sorted() {
            let numbers = places.tables.entities.values.filter { $0.table == table }.map(\.number).sorted()
            var (loss, ignored) = (CoreDataFacts.Loss(), 0)
            try record(
                """
                FROM (SELECT s.Z_PK AS k FROM \(CoreDataQueries.quoted(table)) AS s WHERE s.Z_ENT IS NULL \
                OR s.Z_ENT NOT IN (\(CoreDataQueries.list(numbers))) OR NOT \(CoreDataQueries.hasKey("s")))
                """, &loss, also: &ignored)
            if loss.count > 0 { facts.strayRows[table] = loss }
        }
    }

    private func readUnknownParts(_ facts: inout CoreDataFacts) throws {
        for column in places.tables.unknownColumns {
            let (table, name) = (CoreDataQueries.quoted(column.table), CoreDataQueries.quoted(column.name))
            var (loss, ignored) = (CoreDataFacts.Loss(), 0)
            try record(
                "FROM (SELECT s.Z_PK AS k FROM \(table) AS s WHERE s.\(name) IS NOT NULL)", &loss,
                also: &ignored)
            if loss.count > 0 { facts.unknownParts["\(column.table).\(column.name)"] = loss }
        }
        // The rows of an unknown subentity are stray rows of a known table.
        let known = Set(places.tables.entities.values.map(\.table))
        for entity in places.tables.unknownEntities where entity.superentity == 0 {
            let table = "Z" + entity.name.uppercased()
            guard !known.contains(table), schema.tables[table]?.contains("Z_PK") == true else { continue }
            var (loss, ignored) = (CoreDataFacts.Loss(), 0)
            try record(
                "FROM (SELECT Z_PK AS k FROM \(CoreDataQueries.quoted(table)))", &loss, also: &ignored)
            if loss.count > 0 { facts.unknownParts[table] = loss }
        }
    }

    // MARK: Queries

    /// Returns the source and the condition of a query for an entity's own rows, as the table `s`.
    private func rows(of place: CoreDataTables.Entity) -> String {
        "FROM \(CoreDataQueries.quoted(place.table)) AS s WHERE s.Z_ENT = \(place.number) AND \(CoreDataQueries.hasKey("s"))"
    }

    /// Adds the rows of a query with the column `k` to a loss, and their number to a count.
    private func record(_ rows: String, _ loss: inout CoreDataFacts.Loss, also count: inout Int) throws {
        let found = try number("SELECT count(*) \(rows)")
        if found == 0 { return }
        count += found
        let keys = try reader.rows("SELECT k \(rows) ORDER BY k LIMIT 5").compactMap { $0[0].integer }
        for (index, key) in keys.enumerated() {
            loss.add(key, count: index == 0 ? found - keys.count + 1 : 1)
        }
    }

    private func number(_ query: String) throws -> Int {
        Int(try reader.rows(query).first?.first?.integer ?? 0)
    }
}
