import Foundation

/// The parts of a block by their places in a file: imports, declarations, and statements.
///
/// Macros such as `@Entity` are only allowed on types at the top level of a file, and statements only in a function.
struct CodeParts: Equatable {
    /// Consecutive lines, with the number of the first one in the document.
    struct Piece: Equatable {
        let line: Int
        var code: String

        var lineCount: Int {
            code.split(separator: "\n", omittingEmptySubsequences: false).count
        }
    }

    var imports: [String] = []
    var declarations: [Piece] = []
    var statements: [Piece] = []

    init(_ block: CodeBlock) {
        var nesting = Nesting()
        var isInDeclaration = false
        for (offset, text) in block.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        {
            let line = String(text)
            let isTopLevel = nesting.depth == 0 && !isInDeclaration
            nesting.read(line)
            if isTopLevel, line.hasPrefix("import ") {
                imports.append(line)
            } else if isTopLevel, Self.beginsDeclaration(line) || isInDeclaration {
                declarations.append(Piece(line: block.line + offset, code: line))
                isInDeclaration = nesting.depth > 0 || Self.isOnlyAttributes(line)
            } else if isInDeclaration {
                declarations[declarations.count - 1].code += "\n" + line
                isInDeclaration = nesting.depth > 0 || Self.isOnlyAttributes(line)
            } else {
                add(line, number: block.line + offset)
            }
        }
    }

    private mutating func add(_ line: String, number: Int) {
        if let last = statements.last, last.line + last.lineCount == number {
            statements[statements.count - 1].code += "\n" + line
        } else if !line.allSatisfy(\.isWhitespace) {
            statements.append(Piece(line: number, code: line))
        }
    }

    private static func beginsDeclaration(_ line: String) -> Bool {
        let attributes = /(@\w+(\(([^()]|\(([^()]|\([^()]*\))*\))*\))?\s+)*/
        let modifiers = /((public|package|internal|private|fileprivate|open|final|indirect|nonisolated)\s+)*/
        let keyword = /(class|struct|enum|protocol|actor|extension|func|typealias)\b/
        guard let start = line.prefixMatch(of: attributes) else { return false }
        let rest = line[start.range.upperBound...]
        guard let middle = rest.prefixMatch(of: modifiers) else { return false }
        return rest[middle.range.upperBound...].prefixMatch(of: keyword) != nil || isOnlyAttributes(line)
    }

    private static func isOnlyAttributes(_ line: String) -> Bool {
        line.wholeMatch(of: /(@\w+(\(([^()]|\(([^()]|\([^()]*\))*\))*\))?\s*)+/) != nil
    }
}

/// Counts the nesting of brackets in code, ignoring comments and strings.
struct Nesting {
    private(set) var depth = 0
    private var isInLongString = false

    mutating func read(_ line: String) {
        var rest = line[...]
        while let first = rest.first {
            if rest.hasPrefix("\"\"\"") {
                isInLongString.toggle()
                rest = rest.dropFirst(3)
            } else if isInLongString {
                rest = rest.dropFirst()
            } else if rest.hasPrefix("//") {
                return
            } else if first == "\"" {
                rest = rest.dropFirst(Self.lengthOfString(rest))
            } else {
                if "{([".contains(first) { depth += 1 }
                if "})]".contains(first) { depth -= 1 }
                rest = rest.dropFirst()
            }
        }
    }

    /// Returns the length of the string literal at the start of a text, including its quotes.
    private static func lengthOfString(_ text: Substring) -> Int {
        var isEscaped = false
        var length = 1
        for character in text.dropFirst() {
            length += 1
            if character == "\"", !isEscaped { return length }
            isEscaped = character == "\\" && !isEscaped
        }
        return length
    }
}
