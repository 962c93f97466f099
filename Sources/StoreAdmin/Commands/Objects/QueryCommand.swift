import ContextCore

/// Fetches objects by a predicate in text form.
struct QueryCommand: Command {
    static let requestOptions: [OptionDeclaration] = [
        .option("where", nil, "PREDICATE", "The predicate, if it is not in the request."),
        .option("order", nil, "KEYS", "The sort keys, such as 'score DESC, game.title'."),
        .option("limit", "n", "N", "The maximum number of objects."),
        .option("offset", nil, "N", "The number of objects to skip."),
    ]
    /// The maximum number of objects in a table if no limit is given.
    private static let defaultLimit = 100

    let declaration = CommandDeclaration(
        words: ["query"], abstract: "Fetches objects with their attributes and references.",
        discussion: """
            The request is an entity and clauses: ENTITY where PREDICATE order by KEYS limit N offset N. Predicates have the
            syntax of FetchPredicate; they include subentities and follow relationships. A table shows at most 100 objects
            unless a limit is given.
            """,
        operands: [.init(name: "REQUEST", help: "An entity, optionally with clauses.")],
        options: requestOptions + [
            .option("fields", "f", "A,B", "Properties, paths or expressions instead of all attributes.")
        ],
        examples: [
            .init(
                words: "query 'Player where score > 10 order by score desc limit 20'",
                help: "The players with the highest scores."),
            .init(
                words: "query Player --where 'game.title == \"Go\"' -f name,game.title,score",
                help: "Three columns, one of them from a related object."),
            .init(words: "query Game -f title,players.@count -o csv", help: "For a spreadsheet."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("query") { session, model in
            let request = try ObjectRequest(
                call.arguments.operands[0], call.arguments, session: session, model: model)
            guard let fields = try call.arguments.list("fields") else {
                return try objects(request, session, model, call) { $0.rows($1, count: $2) }
            }
            if let columns = try attributes(fields, of: request.entity) {
                return try objects(request, session, model, call) { table, batch, count in
                    table.rows(batch, count: count, columns: columns)
                }
            }
            return try values(fields, request, session, call)
        }
    }

    /// Returns the columns of the fields if one of them is an encoded, transformed or externally stored attribute, which no value request
    /// can contain; nil if there is no such attribute.
    ///
    /// - Throws: ``AdminError`` if the fields also contain paths, expressions or relationships, which only a value request can contain.
    private func attributes(_ fields: [String], of entity: EntityLayout) throws -> [Int]? {
        let columns = fields.map { field in
            entity.columns.firstIndex {
                if $0.name == field, case .attribute = $0.kind { true } else { false }
            }
        }
        let opaque = columns.firstIndex { $0.map { RequestChecker.isOpaque(entity, column: $0) } ?? false }
        guard let opaque else { return nil }
        if let other = columns.firstIndex(of: nil) {
            throw AdminError.usage(
                "--fields can't contain both “\(fields[opaque])”, which is encoded, transformed or stored externally, and “\(fields[other])”, "
                    + "which is no attribute of \(entity.name).",
                hint: "Run two queries, or leave one of the fields out.")
        }
        return columns.compactMap(\.self)
    }

    private func objects(
        _ request: ObjectRequest, _ session: any ReadSession, _ model: ObjectModel, _ call: CommandCall,
        rows makeRows: (ObjectTable, RowBatch, Int) -> RowSet
    ) throws -> Report {
        var plan = request.plan
        let isTruncated = call.format == .table && plan.limit == nil
        // Fetching one object more than the limit shows whether the table is truncated.
        if isTruncated { plan.limit = Self.defaultLimit + 1 }
        let batch = try session.fetch(plan)
        let table = ObjectTable(entity: request.entity, model: model)
        let count = isTruncated ? min(batch.count, Self.defaultLimit) : batch.count
        var rows = makeRows(table, batch, count)
        if count < batch.count { rows.footer = "The first \(count); --limit shows more." }
        return Report("query", rows: rows, isData: true, json: ["entity": .string(request.entity.name)])
    }

    private func values(
        _ fields: [String], _ request: ObjectRequest, _ session: any ReadSession, _ call: CommandCall
    ) throws -> Report {
        var plan = try request.values(fields)
        let isTruncated = call.format == .table && plan.limit == nil
        if isTruncated { plan.limit = Self.defaultLimit + 1 }
        let lines = try session.aggregate(plan)
        let numbers = fields.indices.map { column in
            lines.contains { !$0[column].isNull } && lines.allSatisfy { $0[column].isNumber }
        }
        var rows = RowSet(
            zip(fields, numbers).map { RowSet.Column($0, isRightAligned: $1) }, emptyText: "no objects")
        for line in isTruncated ? lines.prefix(Self.defaultLimit) : lines[...] {
            rows.append(line.map(ValueText.cell))
        }
        if rows.rows.count < lines.count { rows.footer = "The first \(rows.rows.count); --limit shows more." }
        return Report("query", rows: rows, isData: true, json: ["entity": .string(request.entity.name)])
    }
}

extension StoredValue {
    /// Whether the value is a number or null.
    var isNumber: Bool {
        switch self {
        case .null, .int, .double, .decimal: true
        default: false
        }
    }
}
