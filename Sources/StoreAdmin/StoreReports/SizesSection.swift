import ContextCore

/// The sizes of the tables, and the settings of the database.
enum SizesSection {
    static func contents(of store: AdministeredStore, _ facts: StoreFacts) throws -> ReportSection.Contents {
        let tables = try store.inspect { try $0.tables() }
        let sizes = MarkupTable(
            caption: "Tables and their indexes, the largest first", rows: InspectSizesCommand.rows(tables))
        let settings = MarkupTable(
            caption: "Settings of the database", rows: InspectSettingsCommand.rows(facts))
        return ReportSection.Contents(
            markup: "\(sizes.markup)\(settings.markup)",
            result: facts.bytes.map(Quantity.bytes) ?? "unknown")
    }
}
