extension StoreURL {
    /// Whether a string is an address, as a URL or in keyword form; otherwise it is the name of a store.
    package static func isAddress(_ text: String) -> Bool { text.contains(":") || isKeywordForm(text) }

    /// Whether a string is an address in keyword form: it starts with a word and an equals sign.
    static func isKeywordForm(_ text: String) -> Bool {
        var rest = text.utf8.drop { $0.isSpace }
        let word = rest.prefix { $0.isKeywordPart }
        rest = rest[word.endIndex...].drop { $0.isSpace }
        return !word.isEmpty && rest.first == UInt8(ascii: "=")
    }

    /// Parses an address in keyword form, `host=db dbname=games user=app`, like a connection string of libpq.
    ///
    /// There is no percent-encoding: a value with spaces is in single quotes, and a backslash escapes the next character. Empty values
    /// count as missing. Keywords without a counterpart in a URL become settings.
    init(keywords text: String) throws {
        var reader = KeywordReader(text)
        var values = try reader.values()
        let (hosts, port) = try Self.servers(
            values.removeValue(forKey: "host"), values.removeValue(forKey: "port"))
        let user = values.removeValue(forKey: "user")
        let password = values.removeValue(forKey: "password")
        let database = values.removeValue(forKey: "dbname")
        if let port { values["port"] = port }
        self.init(
            scheme: "postgres", user: user, password: password, hosts: hosts,
            path: database.map { "/" + $0 } ?? "", options: values)
    }

    /// Returns the hosts of two lists, `db1,db2` and `5432,5433`, and the list of ports if there are no hosts.
    private static func servers(_ names: String?, _ ports: String?) throws -> ([Host], String?) {
        guard let names else { return ([], ports) }
        return (try Host.list(names, ports: ports), nil)
    }
}

extension StoreURL.Host {
    /// Parses two lists, `db1,db2` and `5432,5433`; a single port applies to all hosts.
    package static func list(_ names: String, ports: String?) throws(StoreError) -> [StoreURL.Host] {
        let names = names.split(separator: ",", omittingEmptySubsequences: false)
        let ports = try (ports ?? "").split(separator: ",", omittingEmptySubsequences: false)
            .map { (text) throws(StoreError) in try port(digits: text) }
        if names.contains(where: \.isEmpty) { throw StoreURL.invalidAddressError("a host has no name") }
        guard ports.count == 1 || ports.count == names.count else {
            throw StoreURL.invalidAddressError("there are \(names.count) hosts and \(ports.count) ports")
        }
        return names.indices.map { index in
            StoreURL.Host(String(names[index]), port: ports[ports.count == 1 ? 0 : index])
        }
    }
}

/// A parser for addresses in keyword form.
private struct KeywordReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = ArraySlice(text.utf8) }

    /// Returns the values that aren't empty, by keyword.
    mutating func values() throws -> [String: String] {
        var values: [String: String] = [:]
        var keys: Set<String> = []
        while true {
            skipSpace()
            if rest.isEmpty { return values }
            let key = try key()
            if !keys.insert(key).inserted {
                throw StoreURL.invalidAddressError("the keyword \(key) is given twice")
            }
            let value = try value(of: key)
            if !value.isEmpty { values[key] = value }
        }
    }

    private mutating func key() throws -> String {
        let word = rest.prefix { $0.isKeywordPart }
        rest = rest[word.endIndex...]
        skipSpace()
        // The text may be part of a password that contains a space, so the message doesn't repeat it.
        guard !word.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
            throw StoreURL.invalidAddressError(
                "a part of it isn't written as keyword=value; a value with spaces must be in single quotes")
        }
        skipSpace()
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func value(of key: String) throws -> String {
        let isQuoted = rest.first == UInt8(ascii: "'")
        if isQuoted { rest.removeFirst() }
        var bytes: [UInt8] = []
        while let byte = rest.first, isQuoted ? byte != UInt8(ascii: "'") : !byte.isSpace {
            rest.removeFirst()
            if byte == 0 { throw StoreURL.invalidAddressError("the value of \(key) contains a NUL") }
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
            } else if let escaped = rest.popFirst() {
                bytes.append(escaped)
            } else {
                throw StoreURL.invalidAddressError("it ends with a backslash")
            }
        }
        if isQuoted {
            guard rest.popFirst() != nil else {
                throw StoreURL.invalidAddressError(
                    "the value of \(key) starts with a single quote and has no closing quote")
            }
            guard rest.first.map(\.isSpace) ?? true else {
                throw StoreURL.invalidAddressError("no space follows the quoted value of \(key)")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skipSpace() { rest = rest.drop { $0.isSpace } }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || (9...13).contains(self) }

    fileprivate var isKeywordPart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
