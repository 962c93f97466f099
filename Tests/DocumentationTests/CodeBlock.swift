import Foundation

/// A block of Swift in a document, with what the comments above it say about how it compiles.
struct CodeBlock: Equatable {
    /// What stands above a block, as `<!-- compile: ... -->`.
    enum Marker: Equatable {
        /// The block's statements go on where those of the block before it ended.
        case continues
        /// The block shares nothing with the rest of its document, because it declares a name again.
        case separate
        /// The block's statements may use these values, written like a function's parameters.
        case given(String)
        /// The block uses what another document declares.
        case with(String)
        /// The block is no program but a part of a package's manifest: its `dependencies`, one a line, or its `targets`.
        case manifest(String)
        /// The block is a file of the tutorial's package, or a part of one; see ``Tutorial``.
        case file
    }

    let document: String
    /// The line of the first line of code.
    let line: Int
    let code: String
    var markers: [Marker] = []
    /// Whether only the block's declarations count, because another document uses them.
    var isBorrowed = false

    /// The part of a manifest that the block is; nil for code of a program.
    var manifestPart: String? {
        markers.compactMap { if case .manifest(let part) = $0 { part } else { nil } }.first
    }

    /// The documents that the block borrows declarations from.
    var lenders: [String] {
        markers.compactMap { if case .with(let document) = $0 { document } else { nil } }
    }
}

extension CodeBlock {
    /// Finds the blocks of a Markdown text that are fenced as `swift`.
    static func blocks(in text: String, document: String) throws -> [CodeBlock] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var blocks: [CodeBlock] = []
        var markers: [Marker] = []
        var index = 0
        while index < lines.count {
            let line = lines[index].trimmingCharacters(in: .whitespaces)
            index += 1
            if line == "```swift" {
                let code = lines[index...].prefix { $0.trimmingCharacters(in: .whitespaces) != "```" }
                let indent = lines[index - 1].prefix { $0 == " " }.count
                let text = code.map { $0.dropFirst(min(indent, $0.prefix { $0 == " " }.count)) }
                blocks.append(
                    CodeBlock(
                        document: document, line: index + 1, code: text.joined(separator: "\n"),
                        markers: markers))
                index += code.count + 1
                markers = []
            } else if line.hasPrefix("```") {
                index += lines[index...].prefix { $0.trimmingCharacters(in: .whitespaces) != "```" }.count + 1
            } else if line.hasPrefix("<!-- compile:") {
                markers.append(try marker(of: line, at: "\(document):\(index)"))
            } else if line.hasPrefix("<!-- file: ") {
                markers.append(.file)
            } else if !line.isEmpty {
                markers = []
            }
        }
        return blocks
    }

    private static func marker(of line: String, at place: String) throws -> Marker {
        let text = line.dropFirst("<!-- compile:".count).replacing("-->", with: "")
            .trimmingCharacters(in: .whitespaces)
        if text == "continues" { return .continues }
        if text == "separate" { return .separate }
        if text == "dependencies" || text == "targets" { return .manifest(text) }
        if text.hasPrefix("given ") { return .given(String(text.dropFirst("given ".count))) }
        if text.hasPrefix("with ") { return .with(String(text.dropFirst("with ".count))) }
        throw DocumentationError("\(place): nothing is known about the marker '\(text)'")
    }
}

struct DocumentationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
