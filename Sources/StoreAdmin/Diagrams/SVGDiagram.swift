import Foundation

/// Draws a model as an SVG image with a light and a dark appearance.
struct SVGDiagram {
    private static let letter = 7.3
    private static let lineHeight = 18.0
    private static let headHeight = 28.0
    private static let maximumLines = 14

    let graph: ModelGraph
    let title: String

    var text: String {
        let layout = layout
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(layout.width)) \(Self.number(layout.height))" \
            width="\(Self.number(layout.width))" height="\(Self.number(layout.height))" role="img">
            <title>\(Self.escaped(title))</title>
            \(Self.style)
            \(Self.markers)

            """
        for (edge, points) in zip(graph.edges, layout.lines) { text += line(edge, points) }
        for (node, box) in zip(graph.nodes, layout.boxes) { text += self.box(node, box) }
        return text + "</svg>\n"
    }

    /// The positions of boxes and lines.
    var layout: DiagramLayout {
        DiagramLayout(
            sizes: graph.nodes.map(size), edges: graph.edges.map { ($0.first, $0.second) })
    }

    // MARK: Boxes

    private func size(of node: ModelGraph.Node) -> (width: Double, height: Double) {
        let lines = shownLines(of: node)
        let longest =
            lines.map { DisplayWidth.columnCount($0.name) + DisplayWidth.columnCount($0.type) + 3 }.max() ?? 0
        let letters = max(longest, DisplayWidth.columnCount(node.name) + 2, 12)
        return (
            (Double(letters) * Self.letter + 16).rounded(.up),
            Self.headHeight + Double(lines.count) * Self.lineHeight + 8
        )
    }

    private func shownLines(of node: ModelGraph.Node) -> [ModelGraph.Line] {
        if node.lines.count <= Self.maximumLines { return node.lines }
        let rest = node.lines.count - Self.maximumLines + 1
        return node.lines.prefix(Self.maximumLines - 1)
            + [ModelGraph.Line(name: "… \(rest) more", type: "", isRelationship: false)]
    }

    private func box(_ node: ModelGraph.Node, _ box: DiagramLayout.Box) -> String {
        var text = "<g>" + rectangle(box, "body")
        var head = box
        head.height = Self.headHeight
        text += rectangle(head, "head")
        text +=
            "<text class=\"name\(node.isAbstract ? " abstract" : "")\" x=\"\(Self.number(box.x + box.width / 2))\" y=\"\(Self.number(box.y + 19))\">\(Self.escaped(node.name))</text>"
        for (index, line) in shownLines(of: node).enumerated() {
            let y = Self.number(box.y + Self.headHeight + 16 + Double(index) * Self.lineHeight)
            let kind = line.isRelationship ? " class=\"link\"" : ""
            text +=
                "<text\(kind) x=\"\(Self.number(box.x + 8))\" y=\"\(y)\">\(Self.escaped(line.name))</text>"
            if line.type.isEmpty { continue }
            text +=
                "<text class=\"type\" x=\"\(Self.number(box.x + box.width - 8))\" y=\"\(y)\">\(Self.escaped(line.type))</text>"
        }
        return text + "</g>\n"
    }

    private func rectangle(_ box: DiagramLayout.Box, _ kind: String) -> String {
        "<rect class=\"\(kind)\" x=\"\(Self.number(box.x))\" y=\"\(Self.number(box.y))\" width=\"\(Self.number(box.width))\" height=\"\(Self.number(box.height))\" rx=\"4\"/>"
    }

    // MARK: Lines

    private func line(_ edge: ModelGraph.Edge, _ points: [DiagramLayout.Point]) -> String {
        let path = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
        let (kind, start, end, label): (String, String, String, String)
        switch edge.kind {
        case .inheritance:
            (kind, start, end) = ("edge inherits", "", " marker-end=\"url(#above)\"")
            label = "\(graph.nodes[edge.first].name) is a \(graph.nodes[edge.second].name)"
        case .relationship(let name, let inverse):
            (kind, start, end) = (
                "edge", " marker-start=\"url(#\(edge.firstCount.marker))\"",
                " marker-end=\"url(#\(edge.secondCount.marker))\""
            )
            label =
                "\(graph.nodes[edge.first].name).\(name)"
                + (inverse.map { " / \(graph.nodes[edge.second].name).\($0)" } ?? "")
        }
        return
            "<polyline class=\"\(kind)\" points=\"\(path)\"\(start)\(end)><title>\(Self.escaped(label))</title></polyline>\n"
    }

    // MARK: Parts

    private static let style = """
        <style>
        svg { background: #ffffff; font: 12px ui-monospace, Menlo, Consolas, monospace; }
        rect.body { fill: #fbfbfd; stroke: #64748b; }
        rect.head { fill: #e2e8f0; stroke: #64748b; }
        text { fill: #0f172a; }
        text.name { font-weight: bold; text-anchor: middle; }
        text.abstract { font-style: italic; }
        text.type { fill: #64748b; text-anchor: end; }
        text.link { fill: #1d4ed8; }
        .edge { fill: none; stroke: #475569; stroke-width: 1.2; }
        .inherits { stroke-dasharray: 5 3; }
        marker path, marker circle { fill: none; stroke: #475569; stroke-width: 1.2; }
        marker .solid { fill: #ffffff; }
        @media (prefers-color-scheme: dark) {
        svg { background: #0f172a; }
        rect.body { fill: #1e293b; } rect.head { fill: #334155; }
        text { fill: #e2e8f0; } text.type { fill: #94a3b8; } text.link { fill: #93c5fd; }
        .edge, marker path, marker circle { stroke: #94a3b8; } marker .solid { fill: #0f172a; }
        }
        </style>
        """

    private static let markers = """
        <defs>
        <marker id="many" viewBox="0 0 14 12" refX="14" refY="6" markerWidth="14" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M2,6 L14,1 M2,6 L14,11 M2,6 L14,6"/></marker>
        <marker id="one" viewBox="0 0 14 12" refX="14" refY="6" markerWidth="14" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M8,1 L8,11"/></marker>
        <marker id="optional" viewBox="0 0 14 12" refX="14" refY="6" markerWidth="14" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M10,1 L10,11"/><circle class="solid" cx="4" cy="6" r="3"/></marker>
        <marker id="above" viewBox="0 0 14 12" refX="14" refY="6" markerWidth="14" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="solid" d="M2,1 L14,6 L2,11 Z"/></marker>
        </defs>
        """

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension ModelGraph.Cardinality {
    /// The identifier of the marker at the end of a line.
    fileprivate var marker: String {
        switch self {
        case .one: "one"
        case .optional: "optional"
        case .many: "many"
        }
    }
}
