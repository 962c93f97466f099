import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct DiagramTests {
    private func shop() throws -> ModelGraph {
        let model = try ObjectModel(fileText: ShopExport.model)
        return ModelGraph(model.layouts, of: model)
    }

    @Test func `A relationship and its inverse are one line`() throws {
        let graph = try shop()
        let names = graph.edges.map {
            let kind =
                switch $0.kind {
                case .inheritance: "is a"
                case .relationship(let relationship, let inverse):
                    "\(relationship.name) / \(inverse?.name ?? "")"
                }
            return "\(graph.nodes[$0.first].name) \(kind) \(graph.nodes[$0.second].name)"
        }
        #expect(
            names.sorted() == [
                "Game fans / favourites Player", "Game players / game Player", "Game rounds / game Round",
                "Person mentor / pupils Person", "Player is a Person", "Referee is a Person",
            ])
    }

    @Test func `Mermaid has entities and both cardinalities`() throws {
        let text = MermaidDiagram(graph: try shop()).text
        #expect(text.hasPrefix("erDiagram\n    Game {\n        decimal_10_2_ price\n"))
        #expect(text.contains("    Game ||--o{ Round : \"rounds / game\"\n"))
        #expect(text.contains("    Game |o--o{ Player : \"players / game\"\n"))
        #expect(text.contains("    Person ||..|| Player : \"is a\"\n"))
    }

    @Test func `DOT has a node per entity and an edge per relationship`() throws {
        let text = DOTDiagram(graph: try shop()).text
        #expect(text.hasPrefix("digraph model {\n"))
        #expect(text.count { $0 == ">" } > 20)
        #expect(text.contains("label=\"rounds / game\", arrowtail=tee, arrowhead=crowodot"))
        #expect(text.contains("<i>Person</i>"))
    }

    @Test func `SVG is well-formed, and shows every name`() throws {
        let graph = try shop()
        let text = SVGDiagram(graph: graph, title: "a < b & c").text
        #expect(text.contains("<title>a &lt; b &amp; c</title>"))
        for node in graph.nodes {
            #expect(text.contains(">\(node.name)</text>"))
            for line in node.lines { #expect(text.contains(">\(line.name)</text>")) }
        }
        #expect(text.components(separatedBy: "<path class=\"edge").count - 1 == graph.edges.count)
        #expect(text.contains(">rounds 0..*</text>"))
        #expect(text.contains(">game 1</text>"))
        #expect(text.contains("Game.rounds (0..*, delete: cascade) / Round.game (1, delete: nullify)"))
        var open: [Substring] = []
        for part in text.split(separator: "<") {
            let name = part.prefix { $0 != ">" && $0 != " " && $0 != "/" || $0 == "/" && part.first == "/" }
            let body = part.prefix { $0 != ">" }
            if name.first == "/" {
                #expect(open.popLast() == name.dropFirst())
            } else if !body.hasSuffix("/") {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }
}
