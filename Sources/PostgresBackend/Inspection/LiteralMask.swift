#if Postgres
/// A statement with a `?` in place of each literal value, and without comments, which may contain values too.
///
/// It follows PostgreSQL's lexical rules (https://www.postgresql.org/docs/current/sql-syntax-lexical.html). If in doubt it hides more: a
/// literal that the statement's end cuts off, a text that is no statement, or everything after a `\'` in a text without the prefix `E`,
/// which ends the text unless the session has turned `standard_conforming_strings` off.
///
/// ```
/// SELECT name FROM player WHERE name = 'Ann' AND score > 10   →   SELECT name FROM player WHERE name = ? AND score > ?
/// ```
struct LiteralMask {
    private let letters: [Unicode.Scalar]
    private var place = 0
    private(set) var text = ""

    init(_ statement: String) {
        letters = Array(statement.unicodeScalars)
        while place < letters.count { readNext() }
    }

    private var letter: Unicode.Scalar { letters[place] }
    private func letter(after count: Int) -> Unicode.Scalar? {
        place + count < letters.count ? letters[place + count] : nil
    }

    private mutating func readNext() {
        switch letter {
        case "'": maskText(hasEscapes: false)
        case "\"": copyQuotedName()
        case "$": maskDollarQuotedText()
        case "-" where letter(after: 1) == "-": skipLine()
        case "/" where letter(after: 1) == "*": skipComment()
        case "0"..."9": maskNumber()
        case "." where letter(after: 1).map(Self.isDigit) == true: maskNumber()
        case _ where Self.isWordStart(letter): copyWord()
        default: copy()
        }
    }

    private mutating func copy() {
        text.unicodeScalars.append(letter)
        place += 1
    }

    /// Replaces a text in single quotes, in which two quotes mean one.
    private mutating func maskText(hasEscapes: Bool) {
        place += 1
        while place < letters.count {
            if hasEscapes, letter == "\\" {
                place += 2
            } else if letter != "'" {
                place += 1
            } else if !hasEscapes, isAfterOddBackslashes {
                place = letters.count
            } else if letter(after: 1) == "'" {
                place += 2
            } else {
                place += 1
                break
            }
        }
        text += "?"
    }

    private var isAfterOddBackslashes: Bool {
        !letters[..<place].reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
    }

    private mutating func copyQuotedName() {
        repeat { copy() } while place < letters.count && letter != "\""
        if place < letters.count { copy() }
    }

    /// Replaces a text between two equal tags, such as `$$…$$`; copies a parameter, such as `$1`.
    private mutating func maskDollarQuotedText() {
        var end = place + 1
        while end < letters.count, Self.isWordPart(letters[end]), letters[end] != "$" { end += 1 }
        let tag = letters[place..<end]
        guard end < letters.count, letters[end] == "$", tag.count == 1 || !Self.isDigit(tag[place + 1]) else {
            copy()
            while place < letters.count, Self.isDigit(letter) { copy() }
            return
        }
        let delimiter = tag + ["$"]
        place = end + 1
        while place < letters.count, !letters[place...].starts(with: delimiter) { place += 1 }
        place = min(place + delimiter.count, letters.count)
        text += "?"
    }

    private mutating func skipLine() {
        while place < letters.count, letter != "\n" { place += 1 }
    }

    /// Skips a comment, which may contain comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if letter == "/", letter(after: 1) == "*" {
                (depth, place) = (depth + 1, place + 2)
            } else if letter == "*", letter(after: 1) == "/" {
                (depth, place) = (depth - 1, place + 2)
            } else {
                place += 1
            }
        } while depth > 0 && place < letters.count
        text += " "
    }

    private mutating func maskNumber() {
        while place < letters.count, Self.isWordPart(letter) || letter == "." || isSignOfExponent {
            place += 1
        }
        text += "?"
    }

    private var isSignOfExponent: Bool {
        (letter == "+" || letter == "-") && (letters[place - 1] == "e" || letters[place - 1] == "E")
            && letter(after: 1).map(Self.isDigit) == true
    }

    /// Copies a word, unless it is the prefix of a text, such as `E` in `E'…'` or `U&` in `U&'…'`.
    private mutating func copyWord() {
        let start = place
        while place < letters.count, Self.isWordPart(letter) { place += 1 }
        let word = String(String.UnicodeScalarView(letters[start..<place]))
        let upper = word.uppercased()
        if upper == "TRUE" || upper == "FALSE" {
            text += "?"
        } else if place < letters.count, letter == "'", ["E", "B", "X", "N"].contains(upper) {
            maskText(hasEscapes: upper == "E")
        } else if upper == "U", place < letters.count, letter == "&", letter(after: 1) == "'" {
            place += 1
            maskText(hasEscapes: false)
        } else {
            text += word
        }
    }

    private static func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }

    private static func isWordStart(_ letter: Unicode.Scalar) -> Bool {
        letter == "_" || letter.properties.isAlphabetic || letter.value > 127
    }

    private static func isWordPart(_ letter: Unicode.Scalar) -> Bool {
        isWordStart(letter) || isDigit(letter) || letter == "$"
    }
}
#endif
