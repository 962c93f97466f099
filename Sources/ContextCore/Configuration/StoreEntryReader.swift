/// Reads one store of a configuration file.
struct StoreEntryReader {
    let path: String
    let problems: JSONProblems

    /// Reads an entry, which is an address, or an object with an address or its parts; returns nil if it is invalid.
    func store(_ member: JSONMember) -> ConfiguredStore? {
        let origin = SettingOrigin.file(path, member.position)
        if case .string(let text) = member.value.content {
            return url(text, at: member.value.position).map {
                ConfiguredStore(
                    name: member.name, address: .url($0, self.origin(member.value)), origin: origin)
            }
        }
        guard var reader = JSONObjectReader(member.value, as: "a store", problems) else { return nil }
        let address = address(&reader)
        let options = options(&reader)
        let password = reader.member("password").flatMap { member in
            SecretSourceReader(path: path, problems: problems).source(member.value)
                .map { (source: $0, origin: self.origin(member.value)) }
        }
        let isProduction = reader.flag("production")
        let production = isProduction ? reader.member("production").map { self.origin($0.value) } : nil
        reader.reportUnknownMembers()
        guard let address else { return nil }
        var store = ConfiguredStore(name: member.name, address: address, origin: origin)
        store.options = options
        store.password = password
        store.production = production
        return store
    }

    private func origin(_ node: JSONNode) -> SettingOrigin { .file(path, node.position) }

    private func url(_ text: String, at position: JSONPosition) -> StoreURL? {
        do {
            return try StoreURL(text)
        } catch {
            let error = error as? StoreError
            problems.report(error.map(\.description) ?? "This isn't a URL.", at: position)
            return nil
        }
    }

    // MARK: Addresses

    private func address(_ reader: inout JSONObjectReader) -> ConfiguredStore.Address? {
        let parts = ["backend", "path", "host", "port", "user", "database"].compactMap { reader.member($0) }
        guard let member = reader.member("url") else { return self.parts(&reader) }
        for part in parts {
            problems.report(
                "“\(part.name)” can't be combined with “url”: remove “\(part.name)” or “url”.",
                at: part.position)
        }
        if case .string(let text) = member.value.content {
            return url(text, at: member.value.position).map { .url($0, origin(member.value)) }
        }
        guard var inner = JSONObjectReader(member.value, as: "a URL from elsewhere", problems) else {
            return nil
        }
        inner.requireMember("env")
        let variable = inner.string("env")
        inner.reportUnknownMembers()
        return variable.map { .variable($0, origin(member.value)) }
    }

    /// Returns the address that consists of separate parts.
    private func parts(_ reader: inout JSONObjectReader) -> ConfiguredStore.Address? {
        reader.requireMember("backend")
        let backend = reader.string("backend")
        let path = reader.string("path")
        let database = reader.string("database")
        let user = reader.string("user")
        let port = reader.int("port")
        let host = reader.string("host")
        if let port, !(1...65535).contains(port), let member = reader.member("port") {
            problems.report("“port” must be a number from 1 to 65535.", at: member.value.position)
        }
        if let path = reader.member("path"), reader.member("database") != nil {
            problems.report(
                "A store can't have both a “path” and a “database”: remove “path” or “database”.",
                at: path.position)
        }
        guard let backend else { return nil }
        let hosts = host.map { [StoreURL.Host($0, port: port)] } ?? []
        let url = StoreURL(
            scheme: backend.lowercased(), user: user, password: nil, hosts: hosts,
            path: path ?? database.map { "/" + $0 } ?? "", options: [:])
        return .url(url, .file(self.path, reader.position))
    }

    private func options(
        _ reader: inout JSONObjectReader
    ) -> [String: (value: String, origin: SettingOrigin)] {
        var options: [String: (value: String, origin: SettingOrigin)] = [:]
        for member in reader.object("options") {
            let text: String? =
                switch member.value.content {
                case .string(let text): text
                case .number(let number): number.text
                case .bool(let value): value ? "on" : "off"
                case .null, .array, .object: nil
                }
            if let text {
                options[member.name] = (text, origin(member.value))
            } else {
                problems.report(
                    "The setting “\(member.name)” is \(member.value.kindName), but it must be text or a number.",
                    at: member.value.position)
            }
        }
        return options
    }
}
