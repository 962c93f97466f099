import ContextCore

/// All properties of an object.
struct ObjectDetail: Sendable {
    private struct Line {
        let name: String
        let kind: String
        let text: String
        let json: JSONValue
        /// The keys of a to-many relationship, and the name of its destination entity.
        var targets: (entity: String, keys: [Int64])?
    }

    private let title: String
    private let entityName: String
    private let key: Int64
    private let version: Int64
    private let lines: [Line]

    /// Reads the first row of a batch, and fetches its to-many relationships.
    init(_ batch: RowBatch, session: any ReadSession, model: ObjectModel) throws {
        let layout = model.layouts[batch.entityIndex(at: 0)]
        key = batch.key(at: 0)
        version = batch.version(at: 0)
        entityName = layout.name
        title = "\(layout.name):\(key)"
        var lines: [Line] = []
        for property in layout.properties {
            if let relationship = property.relationship, relationship.description.isToMany {
                let plan = RelatedPlan(
                    entityIndex: layout.index, slot: property.slot, owners: [key], includesRows: false)
                let keys = try session.related(plan).links.map(\.target)
                lines.append(
                    Line(
                        name: property.name, kind: "to many", text: "",
                        json: .array(keys.map { .number(String($0)) }),
                        targets: (model.layouts[relationship.destinationIndex].name, keys)))
                continue
            }
            for column in property.columns {
                let cell = ValueText.cell(batch.value(column, at: 0), layout.columns[column].kind, in: model)
                lines.append(
                    Line(
                        name: layout.columns[column].name, kind: Self.kind(layout.columns[column].kind),
                        text: cell.text, json: cell.json))
            }
        }
        self.lines = lines
    }

    private static func kind(_ kind: ColumnLayout.Kind) -> String {
        switch kind {
        case .attribute(let type): type.title
        case .reference: "to one"
        }
    }

    var json: [String: JSONValue] {
        [
            "entity": .string(entityName), "id": .number(String(key)), "version": .number(String(version)),
            "properties": .object(Dictionary(lines.map { ($0.name, $0.json) }, uniquingKeysWith: { $1 })),
        ]
    }

    func text(_ style: TextStyle, shown: Int) -> String {
        var table = TextTable([.init(name: "property"), .init(name: "kind"), .init(name: "value")])
        for line in lines { table.append([line.name, line.kind, Self.text(of: line, shown)]) }
        return style.bold(title) + style.dim("  version \(version)") + "\n"
            + table.text(style, hasHeading: false)
    }

    private static func text(of line: Line, _ shown: Int) -> String {
        guard let (entity, keys) = line.targets else { return line.text }
        if keys.isEmpty { return "none" }
        let list = keys.prefix(shown).map { "\(entity):\($0)" }.joined(separator: ", ")
        return "\(Quantity.count(keys.count)): \(list)" + (keys.count > shown ? ", …" : "")
    }
}
