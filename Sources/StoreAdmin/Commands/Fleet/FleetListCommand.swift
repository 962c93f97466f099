import ContextCore

/// Lists the tenants of an address.
struct FleetListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "list"], abstract: "Lists the tenants that have a store at an address, by name.",
        discussion: """
            --store names the address that the tenants share: a server's database, in which each tenant has a schema, or a
            file, beside which each tenant has a file. The command doesn't open the stores. If no tenant has a store, it prints
            nothing, while the other fleet commands exit with 66.
            """,
        options: FleetSelection.options,
        examples: [
            .init(words: "fleet list -s prod", help: "All tenants with a store."),
            .init(
                words: "fleet list -s prod --only 'a*'",
                help: "The tenants that --only selects in other fleet commands."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.tenantListCommands)

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let tenants = try FleetSelection(call.arguments).tenants(of: store)
        var rows = RowSet([.init("tenant"), .init("address", key: "url")])
        for tenant in tenants {
            let url = try store.backend.address(of: tenant, at: store.url, isShared: false)
            rows.append([.string(tenant), .string(url.description)])
        }
        rows.footer = Quantity.text(tenants.count, "tenant", "tenants")
        var report = Report("fleet.list", ["store": store.json, "rows": .array(rows.documents)]) {
            [rows] style in rows.rows.isEmpty ? "" : rows.text(style)
        }
        report.rows = rows
        return report
    }
}
