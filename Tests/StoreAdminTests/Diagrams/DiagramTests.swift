import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct DiagramTests {
    /// Returns a graph with the given number of boxes of all sizes, and about three edges per box, some of them from a box to itself.
    private func graph(_ count: Int) -> (sizes: [(width: Double, height: Double)], edges: [(Int, Int)]) {
        var seed: UInt64 = 42
        func next(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        let sizes = (0..<count).map { _ in (width: Double(100 + next(150)), height: Double(50 + next(200))) }
        var edges = (1..<count).map { ($0, next($0)) }
        for _ in 0..<(2 * count) { edges.append((next(count), next(count))) }
        return (sizes, edges)
    }

    private struct Segment {
        let edge: Int
        let from: DiagramLayout.Point
        let to: DiagramLayout.Point

        var isHorizontal: Bool { from.y == to.y }
        /// The line of the segment; only segments on the same line can overlap.
        var line: String { isHorizontal ? "y \(from.y)" : "x \(from.x)" }

        func crosses(_ box: DiagramLayout.Box) -> Bool {
            max(from.x, to.x) > box.x + 0.01 && min(from.x, to.x) < box.x + box.width - 0.01
                && max(from.y, to.y) > box.y + 0.01 && min(from.y, to.y) < box.y + box.height - 0.01
        }

        /// Returns whether two segments overlap; a crossing is no overlap.
        func covers(_ other: Segment) -> Bool {
            guard isHorizontal == other.isHorizontal else { return false }
            let isOnLine = isHorizontal ? from.y == other.from.y : from.x == other.from.x
            guard isOnLine else { return false }
            let (a, b) = isHorizontal ? (from.x, to.x) : (from.y, to.y)
            let (c, d) = isHorizontal ? (other.from.x, other.to.x) : (other.from.y, other.to.y)
            return min(max(a, b), max(c, d)) - max(min(a, b), min(c, d)) > 0.01
        }
    }

    @Test(arguments: [1, 2, 5, 17, 90])
    func `No parts overlap`(count: Int) {
        let (sizes, edges) = graph(count)
        let layout = DiagramLayout(sizes: sizes, edges: count > 1 ? edges : [(0, 0)])
        for (index, box) in layout.boxes.enumerated() {
            #expect(box.x >= 0 && box.y >= 0)
            #expect(box.x + box.width <= layout.width && box.y + box.height <= layout.height)
            #expect(box.width >= sizes[index].width && box.height >= sizes[index].height)
            for other in layout.boxes[..<index] {
                let isBeside = box.x >= other.x + other.width + 8 || other.x >= box.x + box.width + 8
                let isBelow = box.y >= other.y + other.height + 8 || other.y >= box.y + box.height + 8
                let isApart = isBeside || isBelow
                #expect(isApart)
            }
        }
        let segments = layout.lines.enumerated().flatMap { edge, points in
            zip(points, points.dropFirst()).map { Segment(edge: edge, from: $0, to: $1) }
        }
        var faults = 0
        var lines: [String: [Segment]] = [:]
        for segment in segments {
            #expect(segment.from.x == segment.to.x || segment.isHorizontal)
            faults += layout.boxes.count { segment.crosses($0) }
            if segment.from != segment.to { lines[segment.line, default: []].append(segment) }
        }
        for line in lines.values {
            for (index, segment) in line.enumerated() {
                faults += line[..<index].count { $0.edge != segment.edge && $0.covers(segment) }
            }
        }
        #expect(faults == 0)
    }

    @Test func `A layout is deterministic`() {
        let (sizes, edges) = graph(30)
        #expect(DiagramLayout(sizes: sizes, edges: edges) == DiagramLayout(sizes: sizes, edges: edges))
    }

    @Test func `Related entities are close to each other`() {
        // A chain, in a random order of boxes.
        let edges = (0..<19).map { ($0 * 7 % 20, ($0 + 1) * 7 % 20) }
        let grid = DiagramGrid(count: 20, edges: edges)
        let length = edges.reduce(0) { $0 + grid.cells[$1.0].distance(to: grid.cells[$1.1]) }
        #expect(length <= 24)
    }

    private func shop() throws -> ModelGraph {
        let model = try ObjectModel(fileText: ShopExport.model)
        return ModelGraph(model.layouts, of: model)
    }

    @Test func `A relationship and its inverse are one line`() throws {
        let graph = try shop()
        let names = graph.edges.map {
            "\(graph.nodes[$0.first].name) \($0.kind) \(graph.nodes[$0.second].name)"
        }
        #expect(
            names.sorted() == [
                "Game relationship(\"fans\", inverse: Optional(\"favourites\")) Player",
                "Game relationship(\"players\", inverse: Optional(\"game\")) Player",
                "Game relationship(\"rounds\", inverse: Optional(\"game\")) Round",
                "Person relationship(\"mentor\", inverse: Optional(\"pupils\")) Person",
                "Player inheritance Person", "Referee inheritance Person",
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
        #expect(text.components(separatedBy: "<polyline").count - 1 == graph.edges.count)
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
