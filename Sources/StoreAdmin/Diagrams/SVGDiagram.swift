import ContextCore
import Foundation

/// Draws a model as an SVG image with a light and a dark appearance.
struct SVGDiagram {
    let graph: ModelGraph
    let title: String

    /// The image as a file.
    var text: String {
        image(
            attributes: "xmlns=\"http://www.w3.org/2000/svg\" ", style: "<style>\n\(Self.style)\n</style>\n")
    }

    /// The image as a part of an HTML page, which contains ``style``.
    var embeddedText: String { image(attributes: "class=\"diagram\" ", style: "") }

    private func image(attributes: String, style: String) -> String {
        let drawing = DiagramDrawing(graph)
        var text = """
            <svg \(attributes)viewBox="0 0 \(drawing.width) \(drawing.height)" \
            width="\(drawing.width)" height="\(drawing.height)" role="img">
            <title>\(MarkupText.escaped(title))</title>
            \(style)\(Self.markers)

            """
        for line in drawing.lines { text += self.line(line) }
        for box in drawing.boxes { text += self.box(box) }
        return text + "</svg>\n"
    }

    // MARK: Boxes

    private func box(_ box: DiagramDrawing.Box) -> String {
        let frame = box.frame
        var head = frame
        head.height = DiagramMeasure.headHeight
        var text = "<g>" + rectangle(frame, "body") + Self.head(head)
        text += Self.text(
            DiagramDrawing.shownName(box.node), box.node.isAbstract ? "name abstract" : "name",
            x: frame.x + frame.width / 2, y: frame.y + 20)
        for row in box.rows {
            let y = frame.y + row.offset + 4
            let kind = row.line.isRelationship ? "link" : row.isCount ? "rest" : nil
            text += Self.text(DiagramDrawing.shownName(row.line), kind, x: frame.x + 8, y: y)
            if row.line.type.isEmpty { continue }
            text += Self.text(
                DiagramDrawing.shownType(row.line), "type", x: frame.x + frame.width - 8, y: y)
        }
        return text + "</g>\n"
    }

    private func rectangle(_ box: DiagramLayout.Box, _ kind: String) -> String {
        "<rect class=\"\(kind)\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"5\"/>"
    }

    /// Returns the head of a box, whose upper corners alone are round.
    private static func head(_ box: DiagramLayout.Box) -> String {
        "<path class=\"head\" d=\"M\(box.x),\(box.y + box.height) v\(5 - box.height) q0,-5 5,-5 h\(box.width - 10) q5,0 5,5 v\(box.height - 5) z\"/>"
    }

    private static func text(_ text: String, _ kind: String?, x: Int, y: Int) -> String {
        let kind = kind.map { " class=\"\($0)\"" } ?? ""
        return "<text\(kind) x=\"\(x)\" y=\"\(y)\">\(MarkupText.escaped(text))</text>"
    }

    // MARK: Lines

    private func line(_ line: DiagramDrawing.Line) -> String {
        let edge = line.edge
        let (kind, title): (String, String)
        switch edge.kind {
        case .inheritance:
            kind = "edge inherits"
            title = "\(graph.nodes[edge.first].name) is a \(graph.nodes[edge.second].name)"
        case .relationship(let relationship, let inverse):
            kind = "edge"
            title =
                Self.title(relationship, of: graph.nodes[edge.first])
                + (inverse.map { " / " + Self.title($0, of: graph.nodes[edge.second]) } ?? "")
        }
        let ends =
            Self.reference("marker-start", edge.firstMarker) + Self.reference("marker-end", edge.secondMarker)
        let labels = [line.firstLabel, line.secondLabel].compactMap { $0 }.map(Self.label).joined()
        return
            "<g class=\"line\"><title>\(MarkupText.escaped(title))</title><path class=\"\(kind)\" d=\"\(Self.path(line.points))\"\(ends)/>\(labels)</g>\n"
    }

    private static func reference(_ attribute: String, _ marker: String?) -> String {
        marker.map { " \(attribute)=\"url(#\($0))\"" } ?? ""
    }

    private static func title(_ relationship: RelationshipDescription, of node: ModelGraph.Node) -> String {
        "\(node.name).\(relationship.name) (\(relationship.cardinalityText), delete: \(relationship.deleteRule.rawValue))"
    }

    private static func label(_ label: DiagramDrawing.Label) -> String {
        text(label.text, label.side == .left ? "end left" : "end", x: label.x, y: label.y)
    }

    /// Returns the path of a line, with round corners.
    static func path(_ points: [DiagramLayout.Point]) -> String {
        var path = ""
        for (index, point) in points.enumerated() {
            guard index > 0, index < points.count - 1 else {
                path += "\(index == 0 ? "M" : " L")\(point.x),\(point.y)"
                continue
            }
            let (before, after) = (points[index - 1], points[index + 1])
            let radius = min(6, Self.distance(before, point) / 2, Self.distance(point, after) / 2)
            let start = Self.point(point, toward: before, by: radius)
            let end = Self.point(point, toward: after, by: radius)
            path += " L\(start.x),\(start.y) Q\(point.x),\(point.y) \(end.x),\(end.y)"
        }
        return path
    }

    private static func distance(_ first: DiagramLayout.Point, _ second: DiagramLayout.Point) -> Int {
        abs(first.x - second.x) + abs(first.y - second.y)
    }

    private static func point(
        _ point: DiagramLayout.Point, toward other: DiagramLayout.Point, by distance: Int
    ) -> DiagramLayout.Point {
        DiagramLayout.Point(
            x: point.x + (other.x - point.x).signum() * distance,
            y: point.y + (other.y - point.y).signum() * distance)
    }

    // MARK: Parts

    /// The style sheet of the image.
    static let style = """
        svg { background: #ffffff; font: 12px ui-monospace, Menlo, Consolas, monospace; }
        rect.body { fill: #fcfdfe; stroke: #94a3b8; }
        path.head { fill: #e2e8f0; stroke: #94a3b8; }
        text { fill: #0f172a; }
        text.name { font-weight: bold; text-anchor: middle; }
        text.abstract { font-style: italic; }
        text.type, text.rest { fill: #526075; }
        text.type { text-anchor: end; }
        text.link { fill: #1d4ed8; }
        text.end { fill: #526075; font-size: 10px; }
        text.left { text-anchor: end; }
        .edge { fill: none; stroke: #64748b; stroke-width: 1.3; }
        .inherits { stroke: #9333ea; }
        .line:hover .edge { stroke: #1d4ed8; stroke-width: 2.5; }
        .line:hover text { fill: #1d4ed8; font-weight: bold; }
        marker path, marker circle { fill: none; stroke: #475569; stroke-width: 1.3; }
        marker .solid { fill: #ffffff; }
        marker .above { stroke: #9333ea; }
        @media (prefers-color-scheme: dark) {
        svg { background: #0f172a; }
        rect.body { fill: #18233a; stroke: #526075; } path.head { fill: #33415a; stroke: #526075; }
        text { fill: #e2e8f0; } text.type, text.rest, text.end { fill: #a3b1c6; } text.link { fill: #93c5fd; }
        .edge { stroke: #8494ab; } .inherits { stroke: #c084fc; }
        .line:hover .edge { stroke: #93c5fd; } .line:hover text { fill: #93c5fd; }
        marker path, marker circle { stroke: #a3b1c6; } marker .solid { fill: #0f172a; } marker .above { stroke: #c084fc; }
        }
        """

    private static let markers = """
        <defs>
        \(marker("many", "<path d=\"M2,6 L14,1 M2,6 L14,11 M2,6 L14,6\"/>"))
        \(marker("one", "<path d=\"M8,1 L8,11\"/>"))
        \(marker("optional", "<path d=\"M10,1 L10,11\"/><circle class=\"solid\" cx=\"4\" cy=\"6\" r=\"3\"/>"))
        \(marker("arrow", "<path d=\"M6,2 L13,6 L6,10\"/>"))
        \(marker("superentity", "<path class=\"solid above\" d=\"M3,1 L13,6 L3,11 Z\"/>"))
        </defs>
        """

    private static func marker(_ name: String, _ shape: String) -> String {
        "<marker id=\"\(name)\" viewBox=\"0 0 14 12\" refX=\"14\" refY=\"6\" markerWidth=\"14\" markerHeight=\"12\" markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">\(shape)</marker>"
    }
}

extension ModelGraph.Edge {
    /// The name of the marker at the first end of a line.
    var firstMarker: String? {
        if case .relationship(_, let inverse?) = kind { inverse.cardinality.marker } else { nil }
    }

    /// The name of the marker at the second end of a line.
    var secondMarker: String {
        switch kind {
        case .inheritance: "superentity"
        case .relationship(_, nil): "arrow"
        case .relationship(let relationship, _): relationship.cardinality.marker
        }
    }
}

extension ModelGraph.Cardinality {
    fileprivate var marker: String {
        switch self {
        case .one: "one"
        case .optional: "optional"
        case .many: "many"
        }
    }
}
