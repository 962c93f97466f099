import ContextCore

/// Describes a diagram as a JSON document, from which a program can draw it.
struct DiagramDocument {
    let drawing: DiagramDrawing

    init(_ graph: ModelGraph) { drawing = DiagramDrawing(graph) }

    /// The members of the document.
    var members: [String: JSONValue] {
        [
            "width": .int(drawing.width), "height": .int(drawing.height),
            "boxes": .array(drawing.boxes.map(box)), "lines": .array(drawing.lines.map(line)),
        ]
    }

    // MARK: Boxes

    private func box(_ box: DiagramDrawing.Box) -> JSONValue {
        .object([
            "entity": .string(box.node.name), "superentity": .text(box.node.superentityName),
            "abstract": .bool(box.node.isAbstract),
            "x": .int(box.frame.x), "y": .int(box.frame.y), "width": .int(box.frame.width),
            "height": .int(box.frame.height), "headHeight": .int(DiagramMeasure.headHeight),
            "rules": .int(box.node.rules), "indexes": .int(box.node.indexes),
            "unique": .int(box.node.uniqueConstraints), "rows": .array(box.rows.map(row)),
        ])
    }

    private func row(_ row: DiagramDrawing.Row) -> JSONValue {
        .object([
            "property": row.isCount ? .null : .string(row.line.name),
            "name": .string(DiagramDrawing.shownName(row.line)),
            "type": .string(DiagramDrawing.shownType(row.line)),
            "relationship": .bool(row.line.isRelationship),
            "flags": .array(row.line.flags.map(JSONValue.string)), "y": .int(row.offset),
        ])
    }

    // MARK: Lines

    private func line(_ line: DiagramDrawing.Line) -> JSONValue {
        let (relationship, inverse): (RelationshipDescription?, RelationshipDescription?)
        let kind: String
        switch line.edge.kind {
        case .inheritance: (kind, relationship, inverse) = ("inheritance", nil, nil)
        case .relationship(let first, let second):
            (kind, relationship, inverse) = ("relationship", first, second)
        }
        return .object([
            "kind": .string(kind),
            "source": endDocument(
                line.edge.first, relationship, reachedBy: inverse, line.edge.firstMarker, line.firstLabel),
            "destination": endDocument(
                line.edge.second, inverse, reachedBy: relationship, line.edge.secondMarker, line.secondLabel),
            "points": .array(line.points.map { .object(["x": .int($0.x), "y": .int($0.y)]) }),
        ])
    }

    /// Describes an end of a line: the property in its row, and the relationship that leads there from the other end.
    private func endDocument(
        _ place: Int, _ property: RelationshipDescription?, reachedBy arriving: RelationshipDescription?,
        _ marker: String?, _ label: DiagramDrawing.Label?
    ) -> JSONValue {
        .object([
            "entity": .string(drawing.boxes[place].node.name), "property": .text(property?.name),
            "optional": property.map { .bool($0.isOptional) } ?? .null,
            "ordered": property.map { .bool($0.isOrdered) } ?? .null,
            "deleteRule": .text(property?.deleteRule.rawValue),
            "cardinality": .text(arriving?.cardinalityText),
            "marker": .text(marker),
            "label": label.map(text) ?? .null,
        ])
    }

    private func text(_ label: DiagramDrawing.Label) -> JSONValue {
        .object([
            "text": .string(label.text), "x": .int(label.x), "y": .int(label.y),
            "side": .string(label.side == .left ? "left" : "right"),
        ])
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
