import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// The positions of boxes, lines and texts in diagrams.
struct DiagramLayoutTests {
    private static let seeds: [UInt64] = Array(1...10) + [UInt64.random(in: 100...UInt64.max)]

    private func drawing(_ seed: UInt64, count: Int) throws -> DiagramDrawing {
        let model = try RandomDiagramModel(seed: seed, count: count).model()
        return DiagramDrawing(ModelGraph(model.layouts, of: model))
    }

    @Test(arguments: seeds)
    func `No line runs through a box, and every line ends at its property`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 2...90, using: &random)
        let drawing = try drawing(seed, count: count)
        #expect(drawing.boxes.count == count)
        let faults = DiagramChecking(drawing: drawing).faults
        #expect(faults.isEmpty, "seed \(seed), \(count) entities: \(faults)")
    }

    @Test(arguments: [1, 2, 90])
    func `The smallest and the largest diagrams have no faults`(count: Int) throws {
        let faults = DiagramChecking(drawing: try drawing(7, count: count)).faults
        #expect(faults.isEmpty, "\(count) entities: \(faults)")
    }

    @Test func `The check of a diagram finds faults`() throws {
        let shop = try ObjectModel(fileText: ShopExport.model)
        let graph = ModelGraph(shop.layouts, of: shop)
        let other = DiagramDrawing(ModelGraph(Array(shop.layouts.reversed()), of: shop))
        #expect(DiagramChecking(drawing: DiagramDrawing(graph)).faults.isEmpty)
        let mixed = DiagramDrawing(
            boxes: DiagramDrawing(graph).boxes, lines: other.lines, width: other.width, height: other.height)
        #expect(!DiagramChecking(drawing: mixed).faults.isEmpty)
    }

    @Test func `A layout is deterministic`() throws {
        #expect(try drawing(3, count: 30) == drawing(3, count: 30))
    }

    @Test func `Ninety entities take less than a second`() throws {
        let model = try RandomDiagramModel(seed: 11, count: 90).model()
        let graph = ModelGraph(model.layouts, of: model)
        // Other tests run at the same time, so only the time of this thread counts.
        let start = Self.threadTime()
        _ = SVGDiagram(graph: graph, title: "").text
        #expect(Self.threadTime() - start < 1)
    }

    /// The time that the processor has spent on this thread, in seconds.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `Related entities are close to each other`() {
        // A chain, in a random order of boxes.
        let edges = (0..<19).map { index in
            DiagramLayout.Edge(
                first: .init(box: index * 7 % 20, offset: 45),
                second: .init(box: (index + 1) * 7 % 20, offset: 63))
        }
        let layout = DiagramLayout(sizes: (0..<20).map { _ in (width: 150, height: 96) }, edges: edges)
        let lengths = layout.lines.map { line in
            zip(line.points, line.points.dropFirst()).reduce(0) {
                $0 + abs($1.0.x - $1.1.x) + abs($1.0.y - $1.1.y)
            }
        }
        #expect((lengths.max() ?? 0) < 400)
    }

    @Test func `A gutter orders its lines such that they don't cross`() {
        // Two lines that descend to the right, and a loop at each side.
        let items: [GutterTracks.Item] = [
            .init(left: [10], right: [100]), .init(left: [40], right: [130]), .init(left: [0, 160]),
            .init(right: [70, 90]),
        ]
        let tracks = GutterTracks(items)
        #expect(tracks.tracks[1] < tracks.tracks[0])
        #expect(tracks.tracks[3] > tracks.tracks[1])
        #expect(tracks.count == Set(tracks.tracks).count)
    }

    @Test func `A monotone fit is the nearest sequence that doesn't decrease`() {
        #expect(MonotoneFit.values([1, 2, 3], weights: [1, 1, 1]) == [1, 2, 3])
        #expect(MonotoneFit.values([3, 1, 5], weights: [1, 1, 1]) == [2, 2, 5])
        #expect(MonotoneFit.values([4, 1], weights: [2, 1]) == [3, 3])
        #expect(MonotoneFit.values([], weights: []).isEmpty)
    }

    @Test func `Properties beside each other are connected by a straight line`() {
        let edge = DiagramLayout.Edge(
            first: .init(box: 0, offset: 45), second: .init(box: 1, offset: 45), bundle: nil)
        let layout = DiagramLayout(sizes: [(150, 96), (150, 96)], edges: [edge])
        #expect(layout.lines[0].points.count == 2)
    }
}
