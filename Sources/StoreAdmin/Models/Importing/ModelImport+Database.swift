import ContextCore

extension ModelImport {
    /// Derives the model of a database, and examines its rows.
    ///
    /// - Parameters:
    ///   - title: The name of the database in errors.
    ///   - file: The file with the names that people chose.
    init(_ reader: any ForeignTableReader, title: String, file: MappingFile? = nil) throws {
        var structures = try reader.structures()
        try DecimalScales(reader: reader).adjust(&structures)
        try self.init(
            structures, title: title, schema: reader.spelling.schema, facts: ImportFacts(structures, reader),
            otherSchemas: reader.otherSchemas(), file: file)
    }

    /// Derives the model of a database, and throws if it has no tables.
    init(
        _ structures: [TableStructure], title: String, schema: String?, facts: ImportFacts = ImportFacts(),
        otherSchemas: [String] = [], file: MappingFile? = nil
    ) throws {
        guard structures.contains(where: \.hasRows) else {
            throw AdminError.noTables(title, schema: schema, otherSchemas: otherSchemas)
        }
        self.init(
            structures, facts: facts, mapping: try file?.read(for: structures) ?? ImportMapping(),
            otherSchemas: otherSchemas)
        guard let file else { return }
        if !problems.isEmpty {
            throw AdminError.badData(
                problems.map { "\(file.path): \($0)" }.joined(separator: "\n"), hint: "Choose other names.")
        }
        if entities.isEmpty { throw AdminError.badData("\(file.path): the mapping leaves all tables out.") }
    }

    /// The text of the remark about a column that the mapping maps to null.
    static let omittedText = "the mapping leaves the column out."

    /// The text of the remark about an integer primary key, which concerns the model and not the objects.
    static let keyText = "the primary key is not imported; objects have identifiers."
}
