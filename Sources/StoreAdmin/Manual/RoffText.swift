/// A manual page in the macros of man(7), which groff and mandoc format.
///
/// The page is ASCII: other characters become escape sequences.
struct RoffText {
    private var lines: [String] = []

    /// The whole page.
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - name: The name of the page, such as `storectl-data-export`.
    ///   - date: The date of the page, such as `2026-08-01`.
    ///   - source: The product and its version, which the page shows in its last line.
    init(_ name: String, date: String, source: String, manual: String) {
        let texts = [source, manual].map { "\"\(Self.escaped($0))\"" }.joined(separator: " ")
        lines.append(".TH \(Self.escaped(name.uppercased())) 1 \(date) \(texts)")
    }

    mutating func heading(_ title: String) { lines.append(".SH " + Self.escaped(title.uppercased())) }

    mutating func subheading(_ title: String) { lines.append(".SS \"\(Self.escaped(title))\"") }

    /// Adds text that is filled, after a line of markup; the text of a section follows its heading.
    mutating func fill(_ text: String) { lines += Self.filled(text) }

    /// Begins another paragraph.
    mutating func paragraph(_ text: String) {
        lines.append(".PP")
        fill(text)
    }

    /// Adds a line of markup, in which the caller has escaped the text.
    mutating func markup(_ line: String) { lines.append(line) }

    /// Adds a term and its explanation.
    ///
    /// - Parameter markup: The term, in which the caller has escaped the text.
    mutating func term(markup: String, _ help: String) {
        lines += [".TP", markup]
        fill(help)
    }

    /// Adds a line that is printed as it is.
    mutating func literal(_ line: String) {
        lines += [".PP", ".RS 4", ".nf", Self.guarded(Self.escaped(line)), ".fi", ".RE"]
    }

    /// Returns bold text.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Returns italic text.
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Returns a text in lines of at most 75 bytes, unless a word is longer.
    private static func filled(_ text: String) -> [String] {
        var lines: [String] = []
        for word in escaped(text).split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.utf8.count + word.utf8.count < 75 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(guarded(String(word)))
            }
        }
        return lines
    }

    /// Returns a line that isn't a request, although it begins with a period; an escaped quote begins none.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

    /// Returns a text without the characters that have a meaning in roff, or that its output devices replace.
    static func escaped(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                line += escape
            } else if scalar.isASCII {
                line.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                line += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return line
    }

    /// The escape sequences of groff_char(7).
    private static let escapes: [Unicode.Scalar: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]
}
