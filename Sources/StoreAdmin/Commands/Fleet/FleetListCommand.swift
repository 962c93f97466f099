import ContextCore

/// Lists the tenants of an address.
struct FleetListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "list"], abstract: "Lists the tenants that have a store at an address, by name.",
        discussion: """
            --store names what all tenants share: the address of a server's database, where each tenant has a schema, or of a
            file, beside which each has a file of its own. Their stores are not opened. Where no tenant has a store, it prints
            nothing; the other fleet commands exit with 66 then.
            """,
        options: FleetSelection.options,
        examples: [
            .init(words: "fleet list -s prod", help: "Who has a store."),
            .init(
                words: "fleet list -s prod --only 'a*'",
                help: "What --only means to the other fleet commands."),
        ], takesTenant: false, forms: [.json, .jsonl, .csv, .md],
        exits: ExitCode.ofTenantLists)

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let tenants = try FleetSelection(call.arguments).tenants(of: store)
        var rows = RowSet([.init("tenant"), .init("address", key: "url")])
        for tenant in tenants {
            let url = try store.backend.address(of: tenant, at: store.url, isShared: false)
            rows.append([.string(tenant), .string(url.description)])
        }
        rows.footer = Quantity.of(tenants.count, "tenant", "tenants")
        var report = Report("fleet.list", ["store": store.json, "rows": .array(rows.documents)]) {
            [rows] style in rows.rows.isEmpty ? "" : rows.text(style)
        }
        report.rows = rows
        return report
    }
}
