import ContextCore

/// Prints the settings of the configuration, and optionally their origins.
struct ConfigShowCommand: Command {
    let declaration = CommandDeclaration(
        words: ["config", "show"],
        abstract: "Prints the stores of the configuration, without secrets.",
        options: [.flag("origin", nil, "Adds the origin of each setting.")],
        examples: [
            .init(words: "config show", help: "All settings."),
            .init(
                words: "config show --origin", help: "All settings, with the file, line and column of each."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md], exitCodes: [.configuration])

    func run(_ call: CommandCall) throws -> Report {
        let configuration = try call.tool.configuration(file: call.arguments["config"])
        let showsOrigin = call.arguments.has("origin")
        var columns = [RowSet.Column("store"), .init("setting"), .init("value")]
        if showsOrigin { columns.append(.init("origin")) }
        var rows = RowSet(columns, emptyText: "no stores are configured")
        for setting in Self.settings(of: configuration) {
            var cells: [RowSet.Cell] = [
                setting.store.map { .string($0) } ?? .none, .string(setting.name), .string(setting.value),
            ]
            if showsOrigin { cells.append(.string(setting.origin.description)) }
            rows.append(cells)
        }
        return Report(
            "config.show", rows: rows,
            json: [
                "files": .array(configuration.files.map(JSONValue.string)),
                "default": configuration.defaultName.map(JSONValue.string) ?? .null,
            ])
    }

    private struct Setting {
        let store: String?
        let name: String
        let value: String
        let origin: SettingOrigin
    }

    private static func settings(of configuration: StoreConfiguration) -> [Setting] {
        var settings: [Setting] = []
        if let selected = configuration.defaultStore {
            settings.append(
                Setting(store: nil, name: "default", value: selected.name, origin: selected.origin))
        } else if let name = configuration.defaultName {
            settings.append(Setting(store: nil, name: "default", value: name, origin: .builtIn))
        }
        for name in configuration.storeNames {
            guard let store = configuration.stores[name] else { continue }
            switch store.address {
            case .url(let url, let origin):
                settings.append(Setting(store: name, name: "url", value: url.description, origin: origin))
            case .variable(let variable, let origin):
                settings.append(
                    Setting(store: name, name: "url", value: "from the variable \(variable)", origin: origin))
            }
            for (key, option) in store.options.sorted(by: { $0.key < $1.key }) {
                let value = StoreURL.isSecret(key) ? "***" : option.value
                settings.append(Setting(store: name, name: key, value: value, origin: option.origin))
            }
            if let (source, origin) = store.password {
                settings.append(
                    Setting(store: name, name: "password", value: source.description, origin: origin))
            }
            if let origin = store.production {
                settings.append(Setting(store: name, name: "production", value: "true", origin: origin))
            }
        }
        return settings
    }
}
