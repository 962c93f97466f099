import ContextCore

@testable import StoreAdmin

/// Finds the faults of a diagram: parts that cover each other, and lines that don't end at their properties.
struct DiagramChecking {
    let drawing: DiagramDrawing

    /// A horizontal or vertical part of a line.
    private struct Part {
        let line: Int
        let from: DiagramLayout.Point
        let to: DiagramLayout.Point

        var isHorizontal: Bool { from.y == to.y }
        var minimum: DiagramLayout.Point { .init(x: min(from.x, to.x), y: min(from.y, to.y)) }
        var maximum: DiagramLayout.Point { .init(x: max(from.x, to.x), y: max(from.y, to.y)) }

        func crosses(_ box: DiagramLayout.Box) -> Bool {
            maximum.x > box.x && minimum.x < box.x + box.width && maximum.y > box.y
                && minimum.y < box.y + box.height
        }

        /// Returns whether two parts lie on each other; a crossing is not meant.
        func covers(_ other: Part) -> Bool {
            guard isHorizontal == other.isHorizontal else { return false }
            if isHorizontal {
                return from.y == other.from.y
                    && min(maximum.x, other.maximum.x) > max(minimum.x, other.minimum.x)
            }
            return from.x == other.from.x && min(maximum.y, other.maximum.y) > max(minimum.y, other.minimum.y)
        }
    }

    private var parts: [Part] {
        drawing.lines.enumerated().flatMap { line, value in
            zip(value.points, value.points.dropFirst()).map { Part(line: line, from: $0, to: $1) }
        }
    }

    /// A sentence for each fault.
    var faults: [String] {
        boxFaults + lineFaults + endFaults + labelFaults
    }

    private func name(_ box: DiagramDrawing.Box) -> String { box.node.name }

    private var boxFaults: [String] {
        var faults: [String] = []
        for (index, box) in drawing.boxes.enumerated() {
            let frame = box.frame
            if frame.x < 0 || frame.y < 0 || frame.x + frame.width > drawing.width
                || frame.y + frame.height > drawing.height
            {
                faults.append("\(name(box)) is outside of the diagram")
            }
            for other in drawing.boxes[..<index] where Self.overlap(frame, other.frame, distance: 16) {
                faults.append("\(name(box)) and \(name(other)) are too close to each other")
            }
        }
        return faults
    }

    static func overlap(_ first: DiagramLayout.Box, _ second: DiagramLayout.Box, distance: Int) -> Bool {
        first.x < second.x + second.width + distance && second.x < first.x + first.width + distance
            && first.y < second.y + second.height + distance && second.y < first.y + first.height + distance
    }

    private var lineFaults: [String] {
        var faults: [String] = []
        var rows: [Int: [Part]] = [:]
        for part in parts {
            if part.from.x != part.to.x && !part.isHorizontal {
                faults.append("line \(part.line) is oblique")
            }
            for box in drawing.boxes where part.crosses(box.frame) {
                faults.append("line \(part.line) runs through \(name(box))")
            }
            rows[part.isHorizontal ? part.from.y : -1 - part.from.x, default: []].append(part)
        }
        for parts in rows.values {
            for (index, part) in parts.enumerated() {
                for other in parts[..<index] where other.line != part.line && part.covers(other) {
                    if !mayShare(part.line, other.line) {
                        faults.append("lines \(part.line) and \(other.line) cover each other")
                    }
                }
            }
        }
        return faults
    }

    /// Returns whether two lines have the same destination, where neither ends at a property: to a superentity, or without an inverse.
    private func mayShare(_ first: Int, _ second: Int) -> Bool {
        let (one, other) = (drawing.lines[first].edge, drawing.lines[second].edge)
        guard one.second == other.second else { return false }
        switch (one.kind, other.kind) {
        case (.inheritance, .inheritance), (.relationship(_, nil), .relationship(_, nil)): return true
        default: return false
        }
    }

    // MARK: Ends

    private var endFaults: [String] {
        drawing.lines.enumerated().flatMap { index, line -> [String] in
            guard let first = line.points.first, let last = line.points.last else { return ["no points"] }
            var names: (String?, String?) = (nil, nil)
            if case .relationship(let relationship, let inverse) = line.edge.kind {
                names = (relationship.name, inverse?.name)
            }
            return [
                endFault(first, drawing.boxes[line.edge.first], names.0),
                endFault(last, drawing.boxes[line.edge.second], names.1),
            ].compactMap { $0 }.map { "line \(index) \($0)" }
        }
    }

    private func endFault(_ point: DiagramLayout.Point, _ box: DiagramDrawing.Box, _ property: String?)
        -> String?
    {
        let frame = box.frame
        guard point.x == frame.x || point.x == frame.x + frame.width else {
            return "doesn't end at the edge of \(name(box))"
        }
        guard let property else {
            let isInHead = (1..<DiagramMeasure.headHeight).contains(point.y - frame.y)
            return isInHead ? nil : "doesn't end at the head of \(name(box))"
        }
        guard let row = box.rows.first(where: { $0.line.isRelationship && $0.line.name == property }) else {
            return "has no row \(property) in \(name(box))"
        }
        let isInRow = abs(point.y - frame.y - row.offset) < DiagramMeasure.rowHeight / 2
        return isInRow ? nil : "doesn't end at the row of \(name(box)).\(property)"
    }

    // MARK: Labels

    private var labelFaults: [String] {
        var faults: [String] = []
        let labels = drawing.lines.enumerated().flatMap { index, line in
            [line.firstLabel, line.secondLabel].compactMap { $0 }.map { (line: index, frame: Self.frame($0)) }
        }
        let parts = parts
        for (index, label) in labels.enumerated() {
            for box in drawing.boxes where Self.overlap(label.frame, box.frame, distance: 0) {
                faults.append("a label of line \(label.line) covers \(name(box))")
            }
            for part in parts where part.crosses(label.frame) {
                faults.append("a label of line \(label.line) is on line \(part.line)")
            }
            for other in labels[..<index] where Self.overlap(label.frame, other.frame, distance: 0) {
                faults.append("labels of lines \(label.line) and \(other.line) cover each other")
            }
        }
        return faults
    }

    /// Returns the rectangle of a label's capital letters.
    private static func frame(_ label: DiagramDrawing.Label) -> DiagramLayout.Box {
        let width = DisplayWidth.columnCount(label.text) * 6
        return .init(
            x: label.side == .left ? label.x - width : label.x, y: label.y - 7, width: width, height: 7)
    }
}
