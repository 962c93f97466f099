import ContextCore

/// Makes the unique constraints and the indexes of an entity from those of its table.
struct IndexConversion {
    let table: ImportedTable
    /// The attributes of the entity by column.
    let attributes: [String: AttributeDescription]
    private(set) var uniqueConstraints: [UniqueConstraint] = []
    private(set) var indexes: [IndexDescription] = []
    private(set) var remarks: [ImportRemark] = []

    init(_ table: ImportedTable, _ entity: EntityDescription) {
        self.table = table
        let byName = Dictionary(
            entity.attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        attributes = table.properties.compactMapValues { byName[$0] }
        addUniqueConstraints()
        for columns in table.structure.indexedColumns { addIndex(columns) }
        for index in table.structure.indexes { add(index) }
        for index in table.structure.looseIndexes { compare(index) }
    }

    private mutating func remark(_ subject: String, _ text: String, _ statement: String? = nil) {
        remarks.append(ImportRemark(kind: .omitted, subject: subject, text: text, statement: statement))
    }

    private mutating func addUniqueConstraints() {
        let key = table.structure.primaryKey
        for columns in (key.isEmpty ? [] : [key]) + table.structure.uniqueColumns {
            if columns.contains(where: table.omittedColumns.contains) || columns.contains(where: isJSON) {
                remark(
                    table.qualifiedName(columns.joined(separator: ", ")),
                    "the values are not unique in the store, because a column is left out, or has JSON.")
                continue
            }
            guard let properties = table.properties(columns) else { continue }
            // The to-one inverse expresses this constraint.
            if columns.count == 1, table.isReference(columns[0]) { continue }
            let constraint = UniqueConstraint(properties)
            if !uniqueConstraints.contains(constraint) { uniqueConstraints.append(constraint) }
        }
    }

    private func isJSON(_ column: String) -> Bool { attributes[column]?.type == .codable }

    private mutating func addIndex(_ columns: [String]) {
        // The store creates an index for each relationship, and for the keys.
        if columns.count == 1, table.isReference(columns[0]) || table.keepsKey(columns[0]) { return }
        guard let properties = table.properties(columns) else {
            return remark(
                table.qualifiedName(columns.joined(separator: ", ")),
                "the index is not imported, because a column is no property.")
        }
        // An index over values of another type doesn't order their texts, which may be too long for an index.
        if columns.contains(where: { isJSON($0) || table.column($0)?.type == nil }) {
            return remark(
                table.qualifiedName(columns.joined(separator: ", ")),
                "the index is not imported, because values become text or JSON.")
        }
        append(IndexDescription(properties.map { IndexDescription.Element($0) }))
    }

    private mutating func append(_ index: IndexDescription) {
        if !indexes.contains(index) { indexes.append(index) }
    }

    /// Reports that an index of the store distinguishes texts that are equal in the database's index.
    private mutating func compare(_ index: TableStructure.LooseIndex) {
        guard table.properties(index.columns) != nil else { return }
        let text: String
        if index.isUnique {
            text =
                "the database denies texts that differ if they are equal for it (\(index.comparison)); the store denies only the same text."
        } else if index.columns.allSatisfy({ table.column($0)?.looseComparison == nil }) {
            text =
                "texts that differ may be equal in the database's index (\(index.comparison)), and not in the store's."
        } else {
            // The remark about the column says so, or that there is no index.
            return
        }
        remarks.append(
            ImportRemark(
                kind: .changed, subject: table.qualifiedName(index.columns.joined(separator: ", ")),
                text: text, statement: index.statement))
    }

    // MARK: Special indexes

    private mutating func add(_ index: TableStructure.Index) {
        if let description = description(of: index) { return append(description) }
        remark("\(table.structure.name).\(index.name)", reason(of: index), index.statement)
    }

    private func description(of index: TableStructure.Index) -> IndexDescription? {
        let columns = index.elements.map(\.column)
        guard !columns.isEmpty, !index.isUnique, let properties = table.properties(columns),
            !columns.contains(where: { isJSON($0) || table.column($0)?.type == nil })
        else { return nil }
        let elements = zip(properties, index.elements).map {
            IndexDescription.Element($0, isDescending: $1.isDescending)
        }
        guard let condition = index.predicate else { return IndexDescription(elements) }
        guard let expression = SQLExpression(condition) else { return nil }
        let reader = ConditionReader(structure: table.structure, valueColumn: nil)
        return IndexPredicate(reader: reader, attributes: attributes).text(expression).map {
            IndexDescription(elements, where: $0)
        }
    }

    private func reason(of index: TableStructure.Index) -> String {
        if index.elements.isEmpty {
            return "indexes over expressions, and those that don't sort, are not imported."
        }
        if index.isUnique { return "a unique constraint of a model has no condition." }
        return index.predicate == nil
            ? "the index is not imported, because a column is no property, or its values become text or JSON."
            : "a predicate of a model can't express the condition of the index."
    }
}
