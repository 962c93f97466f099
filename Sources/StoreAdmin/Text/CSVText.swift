/// Writes comma-separated values (RFC 4180), which ``CSVReader`` reads.
///
/// It compares bytes: a quotation mark may be combined with the accent after it, and is then another character.
struct CSVText {
    /// The byte between fields, which is ASCII and neither a quotation mark nor a line end.
    var delimiter = UInt8(ascii: ",")

    private static let quote = UInt8(ascii: "\"")

    /// Returns a text as a field, in quotation marks where it needs them.
    func field(_ text: String) -> String {
        let special = [delimiter, Self.quote, UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        return text.utf8.contains(where: special.contains) ? Self.inQuotes(text) : text
    }

    /// Returns a text in quotation marks.
    static func inQuotes(_ text: String) -> String {
        var bytes = [quote]
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }

    /// Returns fields as a record with its line end.
    ///
    /// If the only field is empty, quotation marks are added, since readers skip a line without characters. They then read an empty text,
    /// even if the field stands for null.
    func record(_ fields: [String]) -> String {
        let text = fields.joined(separator: String(UnicodeScalar(delimiter)))
        return (text.isEmpty ? Self.inQuotes("") : text) + "\r\n"
    }
}
