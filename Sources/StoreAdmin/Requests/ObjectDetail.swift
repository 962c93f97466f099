import ContextCore

/// All properties of an object.
struct ObjectDetail: Sendable {
    private struct Line {
        let name: String
        let kind: String
        let text: String
        let json: JSONValue
        /// The members of a to-many relationship; nil for other properties.
        var members: Members?
    }

    /// A part of a to-many relationship.
    private struct Members {
        let entity: String
        let keys: [Int64]
        let count: Int
        let isOrdered: Bool
        /// The cursor with which `related` continues; nil if there are no more members.
        let next: String?
    }

    private let title: String
    private let entityName: String
    private let key: Int64
    private let version: Int64
    private let lines: [Line]

    /// Reads the first row of a batch, and the first members of its to-many relationships.
    ///
    /// - Parameter shown: The maximum number of members of each relationship.
    init(_ batch: RowBatch, shown: Int, session: any ReadSession, model: ObjectModel) throws {
        let layout = model.layouts[batch.entityIndex(at: 0)]
        let owner = batch.key(at: 0)
        key = owner
        version = batch.version(at: 0)
        entityName = layout.name
        title = "\(layout.name):\(owner)"
        let lists = layout.properties.compactMap { MemberList($0, of: owner, layout, session) }
        var counts = try MemberList.counts(lists, session)[...]
        var lines: [Line] = []
        for property in layout.properties {
            if let list = MemberList(property, of: owner, layout, session) {
                lines.append(
                    try Self.line(list, count: counts.popFirst() ?? 0, shown: shown, session, model))
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

    private static func line(
        _ list: MemberList, count: Int, shown: Int, _ session: any ReadSession, _ model: ObjectModel
    ) throws -> Line {
        let page = try list.page(nil, limit: shown, session)
        let members = Members(
            entity: model.layouts[list.destinationIndex].name, keys: page.keys, count: count,
            isOrdered: list.isOrdered,
            next: page.ends.next.map { PageCursor($0, of: list.identity).text })
        return Line(
            name: list.property.name, kind: "to many", text: text(of: members),
            json: .array(page.keys.map { .number(String($0)) }), members: members)
    }

    private static func kind(_ kind: ColumnLayout.Kind) -> String {
        switch kind {
        case .attribute(let type): type.title
        case .reference: "to one"
        }
    }

    var json: [String: JSONValue] {
        let members = lines.compactMap { line in line.members.map { (line.name, Self.json(of: $0)) } }
        return [
            "entity": .string(entityName), "id": .number(String(key)), "version": .number(String(version)),
            "properties": .object(Dictionary(lines.map { ($0.name, $0.json) }, uniquingKeysWith: { $1 })),
            "toMany": .object(Dictionary(members, uniquingKeysWith: { $1 })),
        ]
    }

    private static func json(of members: Members) -> JSONValue {
        .object([
            "entity": .string(members.entity), "count": .int(members.count),
            "ordered": .bool(members.isOrdered), "next": members.next.map(JSONValue.string) ?? .null,
        ])
    }

    func text(_ style: TextStyle) -> String {
        var table = TextTable([.init(name: "property"), .init(name: "kind"), .init(name: "value")])
        for line in lines { table.append([line.name, line.kind, line.text]) }
        return style.bold(title) + style.dim("  version \(version)") + "\n"
            + table.text(style, hasHeading: false)
    }

    private static func text(of members: Members) -> String {
        if members.count == 0 { return "none" }
        let list = members.keys.map { "\(members.entity):\($0)" }
        let more = members.count > members.keys.count ? ["…"] : []
        return "\(Quantity.count(members.count)): \((list + more).joined(separator: ", "))"
    }
}
