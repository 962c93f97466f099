// Lists the public symbols in symbol graphs without a documentation comment of their own or inherited, and the public types
// that no page of the catalog lists in a topic, for docs.sh.
//
//   undocumented CATALOG.docc GRAPH.symbols.json...
import Foundation

struct SymbolGraph: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let docComment: Comment?
        let location: Location?
    }

    struct Identifier: Decodable {
        let precise: String
    }

    struct Kind: Decodable {
        let identifier: String
    }

    struct Comment: Decodable {
        let lines: [Line]

        struct Line: Decodable {
            let text: String
        }
    }

    struct Location: Decodable {
        let uri: String
        let position: Position

        struct Position: Decodable {
            let line: Int
        }
    }
}

extension SymbolGraph.Symbol {
    /// Whether the symbol is declared in a source file, and not synthesized by the compiler or copied from a protocol extension.
    var isWritten: Bool {
        location != nil && !identifier.precise.contains("::SYNTHESIZED::")
    }

    /// Whether the symbol is a method of a result builder, which only the compiler calls.
    var isResultBuilding: Bool {
        pathComponents.last?.wholeMatch(of: /build[A-Z]\w*\(.*\)/) != nil
    }

    var isDocumented: Bool {
        docComment?.lines.contains { !$0.text.allSatisfy(\.isWhitespace) } ?? false
    }

    /// Whether the symbol is a type that isn't nested in another.
    var isTopLevelType: Bool {
        let kinds = [
            "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.actor", "swift.typealias",
        ]
        return pathComponents.count == 1 && kinds.contains(kind.identifier)
    }

    func complaint(_ text: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        let path = (location.flatMap { URL(string: $0.uri)?.path } ?? "?").replacing(folder, with: "")
        let line = (location?.position.line ?? 0) + 1
        return "\(path):\(line): error: '\(pathComponents.joined(separator: "."))' is public and \(text)"
    }
}

/// Returns the symbols that the pages of a catalog list: the last component of each list item that is a link to a symbol.
func listedSymbols(in catalog: String) throws -> Set<String> {
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalog).filter { $0.hasSuffix(".md") }
    return try pages.reduce(into: []) { symbols, page in
        let text = try String(contentsOfFile: "\(catalog)/\(page)", encoding: .utf8)
        for match in text.matches(of: /(?m)^- ``(?:\w+\/)?(\w+)``$/) { symbols.insert(String(match.1)) }
    }
}

let arguments = CommandLine.arguments.dropFirst()
let listed = try listedSymbols(in: arguments.first ?? ".")
var complaints: Set<String> = []
for path in arguments.dropFirst() {
    let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    for symbol in graph.symbols where symbol.isWritten {
        if !symbol.isDocumented && !symbol.isResultBuilding {
            complaints.insert(symbol.complaint("has no documentation"))
        }
        if symbol.isTopLevelType && !listed.contains(symbol.pathComponents[0]) {
            complaints.insert(symbol.complaint("is in no topic of the catalog"))
        }
    }
}
complaints.sorted().forEach { print($0) }
exit(complaints.isEmpty ? 0 : 1)
