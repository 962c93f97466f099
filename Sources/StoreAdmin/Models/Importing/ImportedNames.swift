import ContextCore
import Foundation

/// Makes names of a model out of names of a database: `order_lines` is the entity `OrderLine` and the property `orderLines`.
enum ImportedNames {
    /// What an entity is called whose objects are a table's rows.
    static func entity(_ table: String) -> String {
        var words = words(of: table)
        if let last = words.popLast() { words.append(singular(last)) }
        let name = checked(words.map(capitalized).joined(), "Table")
        return ReservedNames.isReservedForTables(name) ? "Table" + name : name
    }

    /// What a property is called that a column becomes.
    static func property(_ column: String) -> String {
        let words = words(of: column)
        let name = (words.first.map(uncapitalized) ?? "") + words.dropFirst().map(capitalized).joined()
        return checked(name, "column")
    }

    /// What a to-one relationship is called whose key a column holds: `author_id` leads to an `author`.
    static func reference(_ column: String) -> String {
        let name = property(column)
        for suffix in ["Id", "ID", "Key"] where name.hasSuffix(suffix) && name.count > suffix.count {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    /// What a to-many relationship is called that leads to an entity's objects.
    static func collection(_ entity: String) -> String { plural(uncapitalized(entity)) }

    static func capitalized(_ word: some StringProtocol) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    static func uncapitalized(_ word: some StringProtocol) -> String {
        word.prefix(1).lowercased() + word.dropFirst()
    }

    /// Words end at what is no letter or digit; one in capitals alone is written small.
    private static func words(of name: String) -> [String] {
        plain(name).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { word in
            word.contains(where: \.isLowercase) ? String(word) : word.lowercased()
        }
    }

    /// Letters of Latin scripts that have no accent to take away.
    private static let spellings: [Character: String] = [
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d",
        "Đ": "D",
        "ł": "l", "Ł": "L", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D", "ı": "i",
    ]

    /// The name in the letters that a model's names have: `Größe` is `Grosse`.
    private static func plain(_ name: String) -> String {
        let spelled = name.map { spellings[$0] ?? String($0) }.joined()
        let letters = spelled.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        return String(String.UnicodeScalarView(letters))
    }

    private static func checked(_ name: String, _ prefix: String) -> String {
        name.first?.isLetter == true ? name : prefix + name
    }

    private static func singular(_ word: String) -> String {
        if let known = EnglishNouns.singular(of: word) { return known }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zzes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        let stays = ["ss", "us", "is", "as"]
        if word.hasSuffix("s"), word.count > 2, !stays.contains(where: word.hasSuffix) {
            return String(word.dropLast())
        }
        return word
    }

    private static func plural(_ word: String) -> String {
        if let known = EnglishNouns.plural(of: word) { return known }
        if let last = word.dropLast().last, word.hasSuffix("y"), !"aeiou".contains(last) {
            return word.dropLast() + "ies"
        }
        if ["s", "sh", "ch", "x"].contains(where: word.hasSuffix) { return word + "es" }
        return word + "s"
    }
}
