import Foundation

/// A block of Swift in a document, with the directives in comments above it.
struct CodeBlock: Equatable {
    /// A directive above a block, such as `<!-- compile: ... -->`.
    enum Marker: Equatable {
        /// The block's statements continue those of the previous block.
        case continues
        /// The block is compiled separately, because it declares a name again.
        case separate
        /// The block's statements use these values, written like the parameters of a function.
        case given(String)
        /// The block uses the declarations of another document.
        case with(String)
        /// The block is part of a package manifest: its `dependencies`, one per line, or its `targets`.
        case manifest(String)
        /// The block is a file of the tutorial's package, or a part of one; see ``Tutorial``.
        case file
        /// The block is a part of a file of the repository, which another package compiles.
        case part(String)
    }

    let document: String
    /// The line number of the first line of code.
    let line: Int
    let code: String
    var markers: [Marker] = []
    /// Whether only the declarations of the block are compiled, because another document uses them.
    var isBorrowed = false

    /// The part of a manifest that the block contains; nil for other code.
    var manifestPart: String? {
        markers.compactMap { if case .manifest(let part) = $0 { part } else { nil } }.first
    }

    /// The path of the file that the block is a part of; nil if it is compiled with the documents.
    var containingFile: String? {
        markers.compactMap { if case .part(let path) = $0 { path } else { nil } }.first
    }

    /// The documents whose declarations the block uses.
    var lenders: [String] {
        markers.compactMap { if case .with(let document) = $0 { document } else { nil } }
    }
}

extension CodeBlock {
    /// Returns the fenced `swift` blocks of a Markdown text.
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
        if text.hasPrefix("in ") { return .part(String(text.dropFirst("in ".count))) }
        if text.hasPrefix("with ") { return .with(String(text.dropFirst("with ".count))) }
        throw DocumentationError("\(place): the marker '\(text)' is unknown")
    }
}

struct DocumentationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
