/// The path and the query of a request, decoded.
package struct RequestTarget: Sendable, Equatable {
    /// The decoded path, which starts with a slash and has no segment `.` or `..`.
    package let path: String
    /// The decoded items of the query, in their order.
    package let query: [HTTPRequestHead.Item]

    private init(path: String, query: [HTTPRequestHead.Item]) {
        self.path = path
        self.query = query
    }

    /// Parses a target in the form that a client sends to a server, such as `/api/get?object=Game:1`.
    ///
    /// - Returns: Nil if it isn't a path and a query, or if it has invalid percent-encoding, text that isn't UTF-8, or control characters.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("#") else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.decoded(parts[0], plusIsSpace: false) else { return nil }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        if segments.contains("..") || segments.contains(".") || path.contains("\\") { return nil }
        var items: [HTTPRequestHead.Item] = []
        for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0], plusIsSpace: true),
                let value = Self.decoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            items.append(.init(name, value))
        }
        self.path = path
        query = items
    }

    /// Returns the first segment of the path, and the target below it; nil if the path has no second slash.
    package var split: (first: String, rest: RequestTarget)? {
        let segment = path.dropFirst().prefix { $0 != "/" }
        guard segment.endIndex < path.endIndex else { return nil }
        return (String(segment), RequestTarget(path: String(path[segment.endIndex...]), query: query))
    }

    /// Returns the values of all query items with a name.
    package func values(of name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// Replaces percent-encoding; line breaks and tabs are valid in a query, because a predicate may contain them.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { return nil }
        let isValid = decoded.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 32 && scalar.value != 127
                || plusIsSpace && (scalar == "\n" || scalar == "\r" || scalar == "\t")
        }
        return isValid ? decoded : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
