import ContextCore

/// Writes a model as an entity relationship diagram of Mermaid (<https://mermaid.js.org/syntax/entityRelationshipDiagram.html>).
struct MermaidDiagram {
    let graph: ModelGraph

    var text: String {
        var text = "erDiagram\n"
        for node in graph.nodes {
            text += "    \(node.name) {\n"
            for line in node.lines where !line.isRelationship {
                text += "        \(Self.word(line.type)) \(line.name)\n"
            }
            text += "    }\n"
        }
        for edge in graph.edges {
            let (first, second) = (graph.nodes[edge.first].name, graph.nodes[edge.second].name)
            switch edge.kind {
            case .inheritance: text += "    \(second) ||..|| \(first) : \"is a\"\n"
            case .relationship(let relationship, let inverse):
                let label = relationship.name + (inverse.map { " / \($0.name)" } ?? "")
                text +=
                    "    \(first) \(Self.leftMarker(edge.firstCount))--\(Self.rightMarker(edge.secondCount)) \(second) : \"\(label)\"\n"
            }
        }
        return text
    }

    /// Returns a type as one word, which Mermaid requires.
    private static func word(_ type: String) -> String {
        String(type.map { $0.isLetter || $0.isNumber ? $0 : "_" }).replacing("__", with: "_")
    }

    private static func leftMarker(_ cardinality: ModelGraph.Cardinality) -> String {
        switch cardinality {
        case .one: "||"
        case .optional: "|o"
        case .many: "}o"
        }
    }

    private static func rightMarker(_ cardinality: ModelGraph.Cardinality) -> String {
        switch cardinality {
        case .one: "||"
        case .optional: "o|"
        case .many: "o{"
        }
    }
}
