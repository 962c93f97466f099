// Lists the public symbols in symbol graphs without a documentation comment of their own or inherited, for docs.sh.
//
//   undocumented GRAPH.symbols.json...
import Foundation

struct SymbolGraph: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        let identifier: Identifier
        let pathComponents: [String]
        let docComment: Comment?
        let location: Location?
    }

    struct Identifier: Decodable {
        let precise: String
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

    var complaint: String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        let path = (location.flatMap { URL(string: $0.uri)?.path } ?? "?").replacing(folder, with: "")
        let line = (location?.position.line ?? 0) + 1
        return
            "\(path):\(line): error: '\(pathComponents.joined(separator: "."))' is public and has no documentation"
    }
}

var complaints: Set<String> = []
for path in CommandLine.arguments.dropFirst() {
    let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    for symbol in graph.symbols where symbol.isWritten && !symbol.isDocumented && !symbol.isResultBuilding {
        complaints.insert(symbol.complaint)
    }
}
complaints.sorted().forEach { print($0) }
exit(complaints.isEmpty ? 0 : 1)
