import ContextCore

/// Fetches objects by a predicate in text form.
struct QueryCommand: Command {
    static let requestOptions: [OptionDeclaration] = [
        .option("where", nil, "PREDICATE", "The predicate, if it is not in the request."),
        .option("order", nil, "KEYS", "The sort keys, such as 'score DESC, game.title'."),
        .option("limit", "n", "N", "The maximum number of objects."),
        .option("offset", nil, "N", "The number of objects to skip."),
    ]

    let declaration = CommandDeclaration(
        words: ["query"], abstract: "Fetches objects with their attributes and references.",
        discussion: """
            The request is an entity and clauses: ENTITY where PREDICATE order by KEYS limit N offset N. Predicates have the
            syntax of FetchPredicate; they include subentities and follow relationships. A table shows at most 100 objects
            unless a limit is given. It shows a reference as Game:1; in JSON it is the key alone, 1, as “id” is.

            The JSON document has the members “next” and “previous”, cursors with which --after and --before show the pages next to
            this one. A page costs the same wherever it is, and no object is skipped or shown twice when others are inserted or deleted.
            """,
        operands: [.init(name: "REQUEST", help: "An entity, optionally with clauses.")],
        options: requestOptions + OptionDeclaration.paging + [
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
            .init(
                words: "query Player --order 'score desc' --limit 50 --json",
                help: "The first page of players, with the cursor of the next one."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("query") { session, model in
            let request = try ObjectRequest(
                call.arguments.operands[0], call.arguments, session: session, model: model)
            guard let fields = try call.arguments.list("fields") else {
                return try objects(request, session, model, call) { $0.rows($1, $2) }
            }
            if let columns = try attributes(fields, of: request.entity) {
                return try objects(request, session, model, call) { table, batch, indices in
                    table.rows(batch, indices, columns: columns)
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
        rows makeRows: (ObjectTable, RowBatch, [Int]) -> RowSet
    ) throws -> Report {
        let paging = try QueryPaging(request, call)
        var plan = paging.bound.map(request.plan.bounded) ?? request.plan
        plan.limit = paging.fetchLimit
        let batch = try session.fetch(plan)
        let shown = paging.shownRows(of: batch.count)
        let rows = makeRows(ObjectTable(entity: request.entity, model: model), batch, shown)
        var ends: PageEnds?
        if paging.hasCursors {
            let keys = [shown.first, shown.last].compactMap { $0.map(batch.key) }
            ends = paging.ends(try request.positions(of: keys, session), of: batch.count)
        }
        return report(rows, of: batch.count, paging, ends, request)
    }

    private func values(
        _ fields: [String], _ request: ObjectRequest, _ session: any ReadSession, _ call: CommandCall
    ) throws -> Report {
        let paging = try QueryPaging(request, call)
        var plan = try request.values(fields)
        // A row of aggregates has no position.
        let hasCursors = paging.hasCursors && !plan.aggregatesRows
        if let bound = paging.bound {
            guard hasCursors else { throw Self.aggregatePagingError(bound) }
            plan = plan.bounded(by: bound)
        }
        if hasCursors {
            plan.columns += [.ownKey(request.entity.index)] + request.plan.order.map(\.expression)
        }
        plan.limit = paging.fetchLimit
        let lines = try session.aggregate(plan)
        let numbers = fields.indices.map { column in
            lines.contains { !$0[column].isNull } && lines.allSatisfy { $0[column].isNumber }
        }
        var rows = RowSet(
            zip(fields, numbers).map { RowSet.Column($0, isRightAligned: $1) }, emptyText: "no objects")
        let shown = paging.shownRows(of: lines.count)
        for index in shown { rows.append(lines[index].prefix(fields.count).map(ValueText.cell)) }
        var ends: PageEnds?
        if hasCursors {
            let positions = [shown.first, shown.last].compactMap { index in
                index.flatMap { KeysetPosition(row: lines[$0].dropFirst(fields.count)) }
            }
            ends = paging.ends(positions, of: lines.count)
        }
        return report(rows, of: lines.count, paging, ends, request)
    }

    private static func aggregatePagingError(_ bound: KeysetBound) -> AdminError {
        .usage(
            "--\(bound.isReversed ? "before" : "after") needs objects, and the fields compute one row of all objects.",
            hint: "Leave the cursor or the fields out.")
    }

    private func report(
        _ rows: RowSet, of count: Int, _ paging: QueryPaging, _ ends: PageEnds?, _ request: ObjectRequest
    ) -> Report {
        var rows = rows
        rows.footer = paging.footer(rows.rows.count, of: count, ends, request)
        let cursors = ends?.json(request.identity) ?? ["next": .null, "previous": .null]
        return Report(
            "query", rows: rows, isData: true,
            json: cursors.merging(["entity": .string(request.entity.name)]) { $1 })
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
