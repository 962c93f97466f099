extension StoreURL {
    /// Parses an address, written as a URL or, for a PostgreSQL server, in keyword form.
    ///
    /// - Throws: ``StoreError/Code/configuration``, with a message that never contains a password.
    public init(_ text: String) throws {
        if Self.isKeywordForm(text) {
            self = try StoreURL(keywords: text)
            return
        }
        guard let colon = text.firstIndex(of: ":") else { throw Self.missingSchemeError(text) }
        let scheme = text[..<colon]
        guard let first = scheme.utf8.first, first.isLetter,
            scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") })
        else { throw Self.missingSchemeError(text) }
        self.scheme = scheme.lowercased()

        var rest = text[text.index(after: colon)...]
        if rest.contains("#") {
            throw Self.invalidAddressError("a store's URL has no fragment; a # must be written %23")
        }
        options = try Self.removeOptions(from: &rest)
        guard rest.hasPrefix("//") else {
            (user, password, hosts) = (nil, nil, [])
            path = try Self.decoded(rest, "the path")
            return
        }
        rest = rest.dropFirst(2)
        let slash = rest.firstIndex(of: "/")
        path = try Self.decoded(rest[(slash ?? rest.endIndex)...], "the path")
        var authority = rest[..<(slash ?? rest.endIndex)]
        // Otherwise a password with a slash would be parsed as a port and a path.
        if !authority.isEmpty, rest[authority.endIndex...].contains("@") {
            throw Self.invalidAddressError(
                "an @ in the path must be written %40, and a / in a user name or password %2F")
        }
        (user, password) = try Self.removeLogin(from: &authority)
        hosts =
            try authority.isEmpty
            ? [] : authority.split(separator: ",", omittingEmptySubsequences: false).map(Host.init(parsing:))
    }

    /// Removes and parses the settings after the question mark.
    private static func removeOptions(from rest: inout Substring) throws -> [String: String] {
        guard let mark = rest.firstIndex(of: "?") else { return [:] }
        let query = rest[rest.index(after: mark)...]
        rest = rest[..<mark]
        if query.contains("@") {
            throw invalidAddressError(
                "an @ in a setting must be written %40, and a ? in a user name or password %3F")
        }
        var options: [String: String] = [:]
        for part in query.split(separator: "&", omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: "=") else {
                throw invalidAddressError("a setting after the ? isn't written as key=value")
            }
            let key = try decoded(part[..<equals], "a setting's key")
            if key.isEmpty { throw invalidAddressError("a setting after the ? has no key") }
            let value = try decoded(part[part.index(after: equals)...], "the setting \(key)")
            if options.updateValue(value, forKey: key) != nil {
                throw invalidAddressError("the setting \(key) is given twice")
            }
        }
        return options
    }

    /// Removes and parses the login before the at sign.
    private static func removeLogin(from authority: inout Substring) throws -> (String?, String?) {
        guard let at = authority.lastIndex(of: "@") else { return (nil, nil) }
        let login = authority[..<at]
        authority = authority[authority.index(after: at)...]
        if login.contains("@") {
            throw invalidAddressError("an @ in a user name or password must be written %40")
        }
        let colon = login.firstIndex(of: ":")
        let user = try decoded(login[..<(colon ?? login.endIndex)], "the user name")
        if user.isEmpty { throw invalidAddressError("there is no user name before the @") }
        let password = try colon.map { try decoded(login[login.index(after: $0)...], "the password") }
        return (user, password)
    }

    /// Decodes percent-encoded text.
    fileprivate static func decoded(_ text: Substring, _ part: String) throws -> String {
        var bytes: [UInt8] = []
        var source = text.utf8[...]
        while let byte = source.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
                continue
            }
            guard let high = source.popFirst()?.hexadecimalDigit,
                let low = source.popFirst()?.hexadecimalDigit
            else {
                throw invalidAddressError("\(part) has a % without two hexadecimal digits; write % as %25")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw invalidAddressError("\(part) is not valid UTF-8 after percent-decoding")
        }
        if bytes.contains(0) { throw invalidAddressError("\(part) contains a NUL") }
        return decoded
    }

    static func invalidAddressError(_ what: String) -> StoreError {
        StoreError(.configuration, "The store's address is invalid: \(what).")
    }

    private static func missingSchemeError(_ text: String) -> StoreError {
        StoreError(
            .configuration, "The store's address has no scheme, so no backend can be selected.",
            remedy:
                "Write the address like sqlite:games.sqlite, postgres://app@db/games, or host=db dbname=games user=app."
        )
    }
}

extension StoreURL.Host {
    fileprivate init(parsing text: Substring) throws {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw StoreURL.invalidAddressError("a host starts with [ and has no ]")
            }
            name = String(text[text.index(after: text.startIndex)..<end])
            port = try Self.port(text[text.index(after: end)...])
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            name = try StoreURL.decoded(text[..<colon], "a host's name")
            port = try Self.port(text[colon...])
        }
        if name.isEmpty { throw StoreURL.invalidAddressError("a host has no name") }
    }

    /// Parses the text after a host's name: nothing, or a colon and a port.
    private static func port(_ text: Substring) throws -> Int? {
        if text.isEmpty { return nil }
        guard text.first == ":", text.count > 1 else { throw invalidPortError }
        return try port(digits: text.dropFirst())
    }

    /// Parses a port; empty text means the default port.
    static func port(digits: Substring) throws(StoreError) -> Int? {
        if digits.isEmpty { return nil }
        guard digits.utf8.allSatisfy(\.isDigit), let port = Int(digits), (1...65535).contains(port) else {
            throw invalidPortError
        }
        return port
    }

    private static var invalidPortError: StoreError {
        StoreURL.invalidAddressError("a host's port is not a number from 1 to 65535")
    }
}

extension UInt8 {
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
