import ContextCore

/// Writes a model in the DOT language of Graphviz (<https://graphviz.org/doc/info/lang.html>).
struct DOTDiagram {
    let graph: ModelGraph

    var text: String {
        var text = """
            digraph model {
                graph [rankdir=LR];
                node [shape=plain, fontname="monospace"];
                edge [dir=both, fontname="monospace"];

            """
        for (index, node) in graph.nodes.enumerated() {
            let lines = node.lines.map {
                "<tr><td align=\"left\">\($0.name) : \(MarkupText.escaped($0.type))</td></tr>"
            }
            let name = node.isAbstract ? "<i>\(node.name)</i>" : "<b>\(node.name)</b>"
            text +=
                "    n\(index) [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\"><tr><td>\(name)</td></tr>\(lines.joined())</table>>];\n"
        }
        for edge in graph.edges {
            switch edge.kind {
            case .inheritance:
                text +=
                    "    n\(edge.first) -> n\(edge.second) [arrowhead=empty, arrowtail=none, style=dashed];\n"
            case .relationship(let relationship, let inverse):
                let label = relationship.name + (inverse.map { " / \($0.name)" } ?? "")
                text +=
                    "    n\(edge.first) -> n\(edge.second) [label=\"\(label)\", arrowtail=\(Self.arrow(edge.firstCount)), arrowhead=\(Self.arrow(edge.secondCount))];\n"
            }
        }
        return text + "}\n"
    }

    private static func arrow(_ cardinality: ModelGraph.Cardinality) -> String {
        switch cardinality {
        case .one: "tee"
        case .optional: "teeodot"
        case .many: "crowodot"
        }
    }
}
