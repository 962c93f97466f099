import ContextCore

/// An import of another program's database: its tables matched with a model, its rows surveyed, and both ready to be copied.
struct DatabaseImport {
    let model: ObjectModel
    /// The parts of the tables that the model has in another form, or not at all.
    let remarks: [ImportRemark]
    let losses: [ImportLoss]
    /// A session that reads the tables in the terms of the model.
    let session: DatabaseSession
    /// A text that differs if the number of rows of a table or their rejected rows change.
    let state: String

    /// Matches the tables with a model, and surveys the rows.
    ///
    /// - Parameters:
    ///   - title: The name of the database in errors.
    ///   - existing: The model of the destination, if there is a store; nil to derive one from the tables.
    ///   - file: The file with the names that people chose.
    ///   - progress: Reports progress, and throws to stop.
    init(
        _ reader: any ForeignTableReader, title: String, existing: ObjectModel?, values: DatabaseValues,
        file: MappingFile?, acceptedLosses: Set<String>, rejects: DatabaseRejects,
        progress: @escaping (String, Int, Int) throws -> Void
    ) throws {
        try Self.checkIsForeign(reader, title)
        let imported = try ModelImport(reader, title: title, file: file)
        model = try existing ?? ObjectModel(entities: imported.entities)
        let mapping = try DatabaseMapping(imported, model, reader)
        try reader.makeReadOnly()
        try Self.check(mapping, acceptedLosses)
        var survey = DatabaseSurvey(
            mapping, reader, values, acceptedLosses: acceptedLosses,
            rejectsReferringRows: rejects.isCollecting, reject: rejects.add, progress: progress)
        losses = try survey.readTables()
        try rejects.finish()
        remarks = Self.remarks(imported, mapping, acceptedLosses)
        session = DatabaseSession(model, mapping, reader, values, survey.rejectedKeys)
        let counts = survey.counts.map { [model] in "\(model.layouts[$0].name) \($1)" }.sorted()
        state = "\(counts.joined(separator: ", ")), \(rejects.count) rejected"
    }

    /// Throws if a database is a store of this library.
    static func checkIsForeign(_ reader: any ForeignTableReader, _ title: String) throws {
        guard try reader.isStore() else { return }
        throw AdminError.refused(
            "\(title) is a store of this library.",
            hint: "Copy it with 'storectl data copy', which keeps keys and versions.")
    }

    /// Throws if the model lacks something of the database, or has what the database can't fill.
    private static func check(_ mapping: DatabaseMapping, _ acceptedLosses: Set<String>) throws {
        let hint =
            "'storectl model import' prints the model that fits. Create the store with it, or name a store that does not exist yet."
        if mapping.tables.isEmpty {
            throw AdminError.refused(
                "the destination has another model: it has no entity for any table of the database.",
                hint: hint)
        }
        if !mapping.mismatches.isEmpty {
            throw AdminError.badData(
                (["the model of the destination doesn't fit the database:"] + mapping.mismatches.prefix(20))
                    .joined(separator: "\n"), hint: hint)
        }
        let names = mapping.lossNames
        if let unknown = acceptedLosses.sorted().first(where: { !names.contains($0) }) {
            let near = Spelling.nearest(to: unknown, among: names.sorted()).map { "Did you mean \($0)?" }
            throw AdminError.usage(
                "--accept-loss names “\(unknown)”, which the import doesn't have.",
                hint: near
                    ?? "The names are those of properties, such as Book.title, and of tables of links.")
        }
        let missing = mapping.missing.filter { !acceptedLosses.contains($0) }
        if missing.isEmpty { return }
        throw AdminError.refused(
            "the model of the destination has no place for \(missing.prefix(20).joined(separator: ", ")).",
            hint:
                "Leave them out with --accept-loss \(missing.joined(separator: ",").shellQuoted). \(hint)")
    }

    private static func remarks(
        _ imported: ModelImport, _ mapping: DatabaseMapping, _ acceptedLosses: Set<String>
    ) -> [ImportRemark] {
        // An integer primary key is the key of the objects.
        let others = imported.remarks.filter { $0.text != ModelImport.keyText }
        let missing = mapping.missing.map {
            ImportRemark(kind: .omitted, subject: $0, text: "the model of the store has no place for it.")
        }
        return others + missing
    }
}

extension AdminError {
    /// The error for a database without tables to import.
    ///
    /// - Parameters:
    ///   - schema: The schema that was searched; nil for a file.
    ///   - otherSchemas: The schemas with tables.
    static func noTables(_ title: String, schema: String?, otherSchemas: [String]) -> AdminError {
        let others =
            otherSchemas.isEmpty ? "" : " There are tables in \(ExtraRemarks.list(ofSchemas: otherSchemas))."
        return AdminError(
            code: "SC2002", exit: .inputMissing,
            message: "\(title) has no tables" + (schema.map { " in the schema “\($0)”." } ?? "."),
            hint: schema == nil
                ? "Check the path of the file."
                : "Name another schema with --schema, or in the URL.\(others)")
    }
}
