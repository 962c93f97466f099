import ContextCore

/// The parts of a model's diagram with their positions and texts, which an image or a document shows.
struct DiagramDrawing: Equatable {
    /// A row of a box.
    struct Row: Equatable {
        let line: ModelGraph.Line
        /// The middle of the row, from the top of the box.
        let offset: Int
        /// Whether it counts attributes that aren't shown instead of being a property.
        var isCount = false
    }

    /// The box of an entity.
    struct Box: Equatable {
        let node: ModelGraph.Node
        let frame: DiagramLayout.Box
        let rows: [Row]
    }

    /// A text beside an end of a line: the relationship that leads there, and the number of objects.
    ///
    /// Lines of relationships without an inverse share their destination, so they have the text at their source.
    struct Label: Equatable {
        let name: String
        let cardinality: String
        let x: Int
        /// The baseline.
        let y: Int
        let side: DiagramLayout.Side

        var text: String { "\(name) \(cardinality)" }
    }

    /// The line of a relationship and its inverse, or of an inheritance.
    struct Line: Equatable {
        let edge: ModelGraph.Edge
        let points: [DiagramLayout.Point]
        let firstLabel: Label?
        let secondLabel: Label?
    }

    let boxes: [Box]
    let lines: [Line]
    let width: Int
    let height: Int
}

extension DiagramDrawing {
    /// The heights in the head of a box at which lines end that have no property there.
    private enum HeadOffset {
        static let oneWay = 9
        static let subentities = 15
        static let superentity = 21
    }

    private static let letter = 7.3
    private static let labelLetter = 6.1
    private static let maximumAttributes = 14
    private static let nameColumns = 32
    private static let typeColumns = 26
    private static let labelColumns = 18

    /// Lays out a model.
    init(_ graph: ModelGraph) {
        let rows = graph.nodes.map(Self.rows)
        let layout = DiagramLayout(
            sizes: zip(graph.nodes, rows).map(Self.size),
            edges: graph.edges.map { Self.edge($0, graph, rows) })
        self.init(
            boxes: zip(graph.nodes, zip(layout.boxes, rows)).map { Box(node: $0, frame: $1.0, rows: $1.1) },
            lines: zip(graph.edges, layout.lines).map(Self.line), width: layout.width, height: layout.height)
    }

    // MARK: Boxes

    /// Returns the rows of an entity: all relationships, because lines end there, and a limited number of attributes.
    private static func rows(_ node: ModelGraph.Node) -> [Row] {
        let attributes = node.lines.filter { !$0.isRelationship }
        var lines = attributes
        let isCut = attributes.count > maximumAttributes
        if isCut {
            let rest = attributes.count - maximumAttributes + 1
            lines = Array(attributes.prefix(maximumAttributes - 1))
            lines.append(ModelGraph.Line(name: "… \(rest) more", type: "", isRelationship: false))
        }
        let count = isCut ? maximumAttributes - 1 : -1
        return (lines + node.lines.filter(\.isRelationship)).enumerated().map { index, line in
            Row(line: line, offset: DiagramMeasure.offset(ofRow: index), isCount: index == count)
        }
    }

    private static func size(of node: ModelGraph.Node, _ rows: [Row]) -> (width: Int, height: Int) {
        let longest = rows.map { row in
            DisplayWidth.columnCount(shownName(row.line)) + DisplayWidth.columnCount(shownType(row.line)) + 3
        }.max()
        let letters = max(longest ?? 0, DisplayWidth.columnCount(shownName(node)) + 2, 14)
        return (
            Int((Double(letters) * letter + 16).rounded(.up)), DiagramMeasure.height(rows: rows.count)
        )
    }

    static func shownName(_ line: ModelGraph.Line) -> String {
        DisplayWidth.truncated(line.name, to: nameColumns)
    }

    static func shownType(_ line: ModelGraph.Line) -> String {
        DisplayWidth.truncated(line.type, to: typeColumns)
    }

    static func shownName(_ node: ModelGraph.Node) -> String {
        DisplayWidth.truncated(node.name, to: nameColumns + typeColumns)
    }

    // MARK: Lines

    private static func edge(
        _ edge: ModelGraph.Edge, _ graph: ModelGraph, _ rows: [[Row]]
    ) -> DiagramLayout.Edge {
        func lineEnd(_ box: Int, _ property: String?, at offset: Int, _ labeled: RelationshipDescription?)
            -> DiagramLayout.End
        {
            let row = property.flatMap { name in
                rows[box].first { $0.line.isRelationship && $0.line.name == name }
            }
            return .init(box: box, offset: row?.offset ?? offset, labelWidth: labelWidth(labeled))
        }
        switch edge.kind {
        case .inheritance:
            return .init(
                first: lineEnd(edge.first, nil, at: HeadOffset.superentity, nil),
                second: lineEnd(edge.second, nil, at: HeadOffset.subentities, nil), bundle: 2 * edge.second)
        case .relationship(let relationship, let inverse):
            let first = lineEnd(edge.first, relationship.name, at: HeadOffset.oneWay, inverse ?? relationship)
            var second = lineEnd(
                edge.second, inverse?.name, at: HeadOffset.oneWay, inverse == nil ? nil : relationship)
            // The line of a relationship that is its own inverse begins and ends in one row.
            if second.box == first.box, second.offset == first.offset {
                second = .init(
                    box: second.box, offset: second.offset - DiagramMeasure.unit,
                    labelWidth: second.labelWidth)
            }
            return .init(first: first, second: second, bundle: inverse == nil ? 2 * edge.second + 1 : nil)
        }
    }

    private static func line(_ edge: ModelGraph.Edge, _ line: DiagramLayout.Line) -> Line {
        var (first, second): (Label?, Label?) = (nil, nil)
        if case .relationship(let relationship, let inverse) = edge.kind {
            let isOwnInverse = edge.first == edge.second && relationship.name == inverse?.name
            if !isOwnInverse { first = label(inverse ?? relationship, at: line.points.first, line.firstSide) }
            if inverse != nil { second = label(relationship, at: line.points.last, line.secondSide) }
        }
        return Line(edge: edge, points: line.points, firstLabel: first, secondLabel: second)
    }

    private static func label(
        _ relationship: RelationshipDescription, at point: DiagramLayout.Point?, _ side: DiagramLayout.Side
    ) -> Label? {
        guard let point else { return nil }
        let distance = DiagramMeasure.marker - 6
        return Label(
            name: DisplayWidth.truncated(relationship.name, to: labelColumns),
            cardinality: relationship.cardinalityText,
            x: side == .left ? point.x - distance : point.x + distance, y: point.y - 4, side: side)
    }

    private static func labelWidth(_ relationship: RelationshipDescription?) -> Int {
        guard let relationship else { return 0 }
        let name = min(labelColumns, DisplayWidth.columnCount(relationship.name))
        let letters = name + 1 + relationship.cardinalityText.count
        return Int((Double(letters) * labelLetter).rounded(.up))
    }
}
