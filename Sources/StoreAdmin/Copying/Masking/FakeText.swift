import ContextCore

/// Replaces the texts of an attribute by plausible ones, whose kind depends on the attribute's name.
struct FakeText {
    /// The length of a unique ending, with the character before it.
    private static let endingLength = 13
    /// The least maximum length in which unique texts have room.
    private static let uniqueLength = 32

    let attribute: AttributeDescription
    let digest: MaskDigest
    let isUnique: Bool

    /// The reason why the texts would be invalid or not unique; nil if there is none.
    var problem: String? {
        if attribute.type != .string { return "only text can be faked" }
        if attribute.rules.contains(where: \.isPattern) { return "a fake text wouldn't match its pattern" }
        return isUnique && attribute.lengthBounds.upperBound < Self.uniqueLength
            ? "it is unique, and a unique fake text needs \(Self.uniqueLength) characters" : nil
    }

    /// Returns the text for a value that isn't null.
    func value(_ value: StoredValue) -> StoredValue {
        let bytes = digest.bytes(of: value)
        let ending = isUnique ? MaskDigest.hex(bytes[16..<22]) : nil
        let bounds = attribute.lengthBounds
        var text = text(bytes, ending)
        if text.count > bounds.upperBound {
            text =
                switch ending {
                case nil: String(text.prefix(bounds.upperBound))
                case let ending? where isEmail: "\(ending)@example.com"
                case let ending?: text.prefix(bounds.upperBound - Self.endingLength) + " " + ending
                }
        }
        let missing = max(0, bounds.lowerBound - text.count)
        return .string(String(repeating: "a", count: missing) + text)
    }

    private var name: String { attribute.name.lowercased() }
    private var isEmail: Bool { name.contains("mail") }

    private func text(_ bytes: [UInt8], _ ending: String?) -> String {
        func choice(_ words: [String], _ index: Int) -> String {
            words[(Int(bytes[index * 2]) << 8 | Int(bytes[index * 2 + 1])) % words.count]
        }
        func has(_ parts: String...) -> Bool { parts.contains(where: name.contains) }
        let (first, last) = (choice(Self.firstNames, 0), choice(Self.lastNames, 1))
        if isEmail {
            let parts = [first.lowercased(), last.lowercased(), ending].compactMap(\.self)
            return parts.joined(separator: ".") + "@example.com"
        }
        let text =
            if has("phone", "mobile", "fax") {
                "+1 555 01\(bytes[0] % 10)\(bytes[1] % 10)"
            } else if has("city", "town") {
                choice(Self.cities, 0)
            } else if has("street", "address") {
                "\(choice(Self.streets, 0)) \(1 + bytes[2] % 99)"
            } else if has("first", "given") {
                first
            } else if has("last", "family", "surname") {
                last
            } else if has("name", "author", "owner") {
                "\(first) \(last)"
            } else {
                (0..<4).map { choice(Self.words, $0) }.joined(separator: " ")
            }
        return ending.map { "\(text) \($0)" } ?? text
    }

    private static let firstNames = [
        "Ada", "Ben", "Clara", "David", "Elena", "Felix", "Grace", "Hugo", "Ines", "Jonas", "Karin", "Leo",
        "Mara", "Nico", "Olga", "Paul", "Rosa", "Simon", "Tessa", "Viktor",
    ]
    private static let lastNames = [
        "Adler", "Berg", "Carter", "Dunn", "Ellis", "Fischer", "Grant", "Hill", "Ivanov", "Jansen", "Keller",
        "Lang", "Meyer", "Novak", "Olsen", "Parker", "Rossi", "Silva", "Turner", "Weber",
    ]
    private static let cities = [
        "Ashford", "Brookfield", "Clearwater", "Easton", "Fairview", "Greenville", "Hillsdale", "Kingston",
        "Lakewood", "Milton", "Newport", "Oakland", "Riverside", "Springfield", "Westfield",
    ]
    private static let streets = [
        "Birch Road", "Castle Street", "Garden Lane", "Harbour Street", "High Street", "Lake Road",
        "Market Square", "Mill Lane", "Park Avenue", "Station Road", "Sunset Drive", "Willow Way",
    ]
    private static let words = [
        "amber", "basket", "candle", "desert", "engine", "forest", "garden", "harbour", "island", "journey",
        "kettle", "lantern", "meadow", "needle", "orchard", "pebble", "quiet", "river", "silver", "timber",
        "umbrella", "valley", "window", "yellow",
    ]
}
