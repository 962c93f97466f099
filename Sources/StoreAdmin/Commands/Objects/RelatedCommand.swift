import ContextCore

/// Lists the members of a to-many relationship, a page at a time.
struct RelatedCommand: Command {
    private static let defaultLimit = 100

    let declaration = CommandDeclaration(
        words: ["related"], abstract: "Lists the objects of a to-many relationship, in its order.",
        discussion: """
            The objects are those of an ordered relationship in its order, and otherwise in the order of their keys. They are shown
            with their attributes and references, as 'query' shows them. The command reads one page, however many members there are.
            """,
        operands: [
            .init(name: "OBJECT", help: "An entity and a key, such as Game:1, or an object's URI."),
            .init(name: "RELATIONSHIP", help: "The name of a to-many relationship."),
        ],
        options: [
            .option("limit", "n", "N", "The maximum number of objects. The default is 100.")
        ] + OptionDeclaration.paging,
        examples: [
            .init(words: "related Game:1 players", help: "The players of a game."),
            .init(
                words: "related Game:1 players --limit 20 --json",
                help: "The first twenty, with their number and the cursor of the next page."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let reference = try ObjectReference(call.arguments.operands[0])
        let limit = try call.arguments.count("limit") ?? Self.defaultLimit
        return try call.store().read("related") { session, model in
            let owner = try reference.row(session, model)
            let list = try Self.list(call.arguments.operands[1], of: owner, session, model)
            let bound = try KeysetBound(call.arguments, of: list.identity, fits: list.fits)
            let page = try list.page(bound, limit: limit, session)
            var rows = try Self.rows(page.keys, of: model.layouts[list.destinationIndex], session, model)
            rows.footer = page.ends.footer(list.identity)
            let json: [String: JSONValue] = [
                "object": .string("\(list.entity.name):\(list.owner)"),
                "relationship": .string(list.property.name),
                "entity": .string(model.layouts[list.destinationIndex].name),
                "count": .int(try MemberList.counts([list], session)[0]),
            ]
            return Report(
                "related", rows: rows, isData: true,
                json: json.merging(page.ends.json(list.identity)) { $1 })
        }
    }

    private static func list(
        _ name: String, of owner: RowBatch, _ session: any ReadSession, _ model: ObjectModel
    ) throws -> MemberList {
        let layout = model.layouts[owner.entityIndex(at: 0)]
        if let list = layout.property(named: name).flatMap({
            MemberList($0, of: owner.key(at: 0), layout, session)
        }) {
            return list
        }
        let names = layout.properties.filter { $0.relationship?.description.isToMany == true }.map(\.name)
        let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
        throw AdminError(
            code: "SC1004", exit: .usage,
            message: "\(layout.name) has no to-many relationship “\(name)”.",
            hint: near
                ?? (names.isEmpty
                    ? "It has none at all; 'storectl get' shows its references."
                    : "Its to-many relationships are \(names.joined(separator: ", "))."))
    }

    /// Returns the table of objects in the order of their keys in a list; keys without a row are left out.
    private static func rows(
        _ keys: [Int64], of entity: EntityLayout, _ session: any ReadSession, _ model: ObjectModel
    ) throws -> RowSet {
        let batch = try session.rows(keys, entityIndex: entity.index)
        let indices = Dictionary((0..<batch.count).map { (batch.key(at: $0), $0) }) { first, _ in first }
        return ObjectTable(entity: entity, model: model).rows(batch, keys.compactMap { indices[$0] })
    }
}
