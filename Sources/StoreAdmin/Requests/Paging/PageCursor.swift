import ContextCore
import Foundation

/// The text form of a position in the results of a request, which continues the request at that position.
///
/// It contains the sort values and the key of a row, so that the row may be deleted later. A digest of the request rejects a cursor of
/// another request, and one of the values a cursor that was changed.
struct PageCursor: Codable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case request = "r"
        case values = "s"
        case key = "k"
        case check = "c"
    }

    private let request: String
    private let values: [StoredValue]
    private let key: Int64
    private let check: String

    init(_ position: KeysetPosition, of request: RequestIdentity) {
        self.request = request.digest
        values = position.values
        key = position.key
        check = Self.check(position)
    }

    private static func check(_ position: KeysetPosition) -> String {
        let text = "\(position.key) " + String(decoding: encoded(position.values), as: UTF8.self)
        return String(SHA256.hexDigest(of: text).prefix(8))
    }

    /// The cursor as letters, digits, `-` and `_`.
    var text: String {
        Self.encoded(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private static func encoded(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // All values of a store can be encoded: floating-point numbers are encoded as texts.
        return (try? encoder.encode(value)) ?? Data()
    }

    private init?(text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: base64),
            let cursor = try? JSONDecoder().decode(PageCursor.self, from: data)
        else { return nil }
        self = cursor
    }

    /// Returns the position in the value of an option.
    ///
    /// - Parameter fits: Whether the request can have a position.
    /// - Throws: ``AdminError`` if the text is no cursor, or that of another request.
    static func position(
        _ text: String, option: String, of request: RequestIdentity, fits: (KeysetPosition) -> Bool
    ) throws(AdminError) -> KeysetPosition {
        guard let cursor = PageCursor(text: text) else { throw invalidError(option) }
        if cursor.request != request.digest {
            throw .usage(
                "the cursor of --\(option) comes from another request.",
                hint: "Repeat the request that printed it: of the same store, with the same \(request.parts)."
            )
        }
        let position = KeysetPosition(values: cursor.values, key: cursor.key)
        guard cursor.check == check(position), fits(position) else { throw invalidError(option) }
        return position
    }

    private static func invalidError(_ option: String) -> AdminError {
        .usage(
            "the value of --\(option) is no cursor.",
            hint: "Pass “next” or “previous” of a JSON document unchanged.")
    }
}

/// What must be the same in two requests, so that one can continue the other.
struct RequestIdentity: Equatable {
    let digest: String
    /// The parts of the request in words, for errors.
    let parts: String

    init(_ texts: [String], parts: String) {
        // A text can contain no NUL.
        digest = String(SHA256.hexDigest(of: texts.joined(separator: "\0")).prefix(16))
        self.parts = parts
    }
}

extension KeysetBound {
    /// Reads the bound from `--after` or `--before`; nil if neither is given.
    init?(
        _ arguments: ParsedArguments, of request: RequestIdentity, fits: (KeysetPosition) -> Bool
    ) throws(AdminError) {
        switch (arguments["after"], arguments["before"]) {
        case (nil, nil): return nil
        case (let after?, nil):
            self = .after(try PageCursor.position(after, option: "after", of: request, fits: fits))
        case (nil, let before?):
            self = .before(try PageCursor.position(before, option: "before", of: request, fits: fits))
        case (_?, _?):
            throw .usage("--after and --before can't be combined.", hint: "Leave one of them out.")
        }
    }
}

extension OptionDeclaration {
    /// The options of commands that show a page of objects.
    static let paging: [OptionDeclaration] = [
        .option("after", nil, "CURSOR", "Continues after a page, with “next” of its JSON document."),
        .option("before", nil, "CURSOR", "Goes back before a page, with “previous” of its JSON document."),
    ]
}
