import ContextCore
import Foundation

/// Makes names of a model from names of a database: `order_lines` gives the entity `OrderLine` and the property `orderLines`.
enum ImportedNames {
    /// Returns the name of the entity for a table.
    static func entity(_ table: String) -> String {
        var words = words(of: table)
        if let last = words.popLast() { words.append(singular(last)) }
        let name = startingWithLetter(words.map(capitalized).joined(), "Table")
        return ReservedNames.isReservedForTables(name) ? "Table" + name : name
    }

    /// Returns the name of the property for a column.
    static func property(_ column: String) -> String {
        let words = words(of: column)
        let name = (words.first.map(uncapitalized) ?? "") + words.dropFirst().map(capitalized).joined()
        return startingWithLetter(name, "column")
    }

    /// Returns the name of the to-one relationship for a foreign key column: `author` for `author_id`.
    static func reference(_ column: String) -> String {
        let name = property(column)
        for suffix in ["Id", "ID", "Key"] where name.hasSuffix(suffix) && name.count > suffix.count {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    /// Returns the name of a to-many relationship to an entity.
    static func collection(_ entity: String) -> String { plural(uncapitalized(entity)) }

    static func capitalized(_ word: some StringProtocol) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    static func uncapitalized(_ word: some StringProtocol) -> String {
        word.prefix(1).lowercased() + word.dropFirst()
    }

    /// Splits a name at characters other than letters and digits, and lowercases words without lowercase letters.
    private static func words(of name: String) -> [String] {
        withoutDiacritics(name).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { word in
            word.contains(where: \.isLowercase) ? String(word) : word.lowercased()
        }
    }

    /// The replacements of Latin letters that have no decomposition into an ASCII letter and an accent.
    private static let spellings: [Character: String] = [
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d",
        "Đ": "D",
        "ł": "l", "Ł": "L", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D", "ı": "i",
    ]

    /// Returns a name without diacritics, in the letters that names of a model use: `Grosse` for `Größe`.
    private static func withoutDiacritics(_ name: String) -> String {
        let spelled = name.map { spellings[$0] ?? String($0) }.joined()
        let letters = spelled.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        return String(String.UnicodeScalarView(letters))
    }

    private static func startingWithLetter(_ name: String, _ prefix: String) -> String {
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
