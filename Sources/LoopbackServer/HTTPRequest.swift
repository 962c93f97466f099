/// The request line and the headers of a request, which arrive before its body.
package struct HTTPRequestHead: Sendable, Equatable {
    /// A header or a query item.
    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let method: String
    package let target: RequestTarget
    /// The headers in their order; a name can occur several times.
    package let headers: [Item]

    package init(method: String, target: RequestTarget, headers: [Item]) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// Returns the values of all headers with a name, whose case doesn't matter.
    package func values(of header: String) -> [String] {
        let name = header.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Returns the values of all cookies with a name.
    package func cookies(_ name: String) -> [String] {
        values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { text in
            let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, Self.trimmed(pair[0]) == name else { return nil }
            return Self.trimmed(pair[1])
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// A request with its body.
package struct HTTPRequest: Sendable, Equatable {
    package let head: HTTPRequestHead
    package let body: [UInt8]

    package init(head: HTTPRequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
