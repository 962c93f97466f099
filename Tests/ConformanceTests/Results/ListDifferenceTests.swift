import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct ListDifferenceTests {
    private static let model = try? ObjectModel([Division.self, Team.self, Fan.self])

    /// A row of the naive model.
    private struct Row: Hashable {
        var section: Int
        var order: Int
        var revision = 0
    }

    private func snapshot(_ rows: [Int64: Row], isSectioned: Bool) throws -> ResultsSnapshot {
        var list = ResultsList(isSectioned: isSectioned)
        try apply(rows, to: &list)
        return try snapshot(list)
    }

    private func snapshot(_ list: ResultsList) throws -> ResultsSnapshot {
        let model = try #require(Self.model)
        return ResultsSnapshot(
            list: list,
            rowIdentifiers: RowIdentifiers(
                identifiers: IdentifierSpaces(model: model, storeID: UUID()), root: model.layouts[0]),
            totalCount: list.count)
    }

    private func apply(_ rows: [Int64: Row], to list: inout ResultsList) throws {
        for row in list.rows.elements where rows[row.key] == nil { list.remove(row.key) }
        for (key, row) in rows {
            var (section, order) = (OrderedBytesWriter(), OrderedBytesWriter())
            if list.isSectioned { section.append(.int(Int64(row.section))) }
            order.append(.int(Int64(row.order)))
            list.insert(
                ResultsRow(
                    section: section.bytes, order: order.bytes, key: key, entityIndex: 0,
                    revision: row.revision),
                in: SectionEntry(bytes: section.bytes, value: .int(Int64(row.section))))
        }
    }

    /// The rows in order, by section.
    private func resultRows(_ rows: [Int64: Row], isSectioned: Bool) -> [[Int64]] {
        guard isSectioned else {
            return [rows.sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }.map(\.key)]
        }
        return Dictionary(grouping: rows, by: \.value.section).sorted { $0.key < $1.key }.map { section in
            section.value.sorted { ($0.value.order, $0.key) < ($1.value.order, $1.key) }.map(\.key)
        }
    }

    private func change(_ rows: inout [Int64: Row], _ random: inout SeededRandom, round: Int) {
        let width = [2, 8, 40].randomElement(using: &random) ?? 8
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let key = Int64.random(in: 1...30, using: &random)
            let row = Row(
                section: Int.random(in: 0..<4, using: &random),
                order: Int.random(in: 0..<width, using: &random),
                revision: round)
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: rows[key] = nil
            case 2: for other in rows.keys where other % 3 == key % 3 { rows[other]?.revision = round }
            case 3: for other in rows.keys where rows[other]?.section == row.section { rows[other] = nil }
            case 4: rows[key]?.section = row.section
            default: rows[key] = row
            }
        }
    }

    @Test func `Differences applied to the old list give the new list with as few moves as possible`() throws
    {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["RESULTS_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["RESULTS_LISTS"].flatMap(UInt64.init) ?? 1500
        for seed in first..<first + count {
            var random = SeededRandom(seed: seed)
            let isSectioned = seed % 3 != 0
            var rows: [Int64: Row] = [:]
            change(&rows, &random, round: 0)
            let old = try snapshot(rows, isSectioned: isSectioned)
            let before = rows
            change(&rows, &random, round: 1)
            var list = old.list
            try apply(rows, to: &list)
            let difference = try snapshot(list).difference(from: old)
            var naive = NaiveList(resultRows(before, isSectioned: isSectioned))
            do {
                for step in difference.steps { try naive.apply(step) }
                try naive.check(
                    difference, resultRows(before, isSectioned: isSectioned),
                    resultRows(rows, isSectioned: isSectioned)
                )
                try checkMoves(difference, before, rows, isSectioned)
            } catch {
                Issue.record("RESULTS_SEED=\(seed): \(error)\n\(before)\n\(rows)\n\(difference.steps)")
                return
            }
        }
    }

    /// Checks that the number of moves is minimal: all kept rows but those of the longest common order within their sections.
    private func checkMoves(
        _ difference: ResultsDifference, _ before: [Int64: Row], _ after: [Int64: Row], _ isSectioned: Bool
    ) throws {
        let old = resultRows(before, isSectioned: isSectioned).joined().enumerated()
        let places = Dictionary(uniqueKeysWithValues: old.map { ($1, $0) })
        let kept = resultRows(after, isSectioned: isSectioned).joined().filter { places[$0] != nil }
        let staying = kept.filter { !isSectioned || before[$0]?.section == after[$0]?.section }
        let moves = difference.steps.count { if case .move = $0 { true } else { false } }
        let least = kept.count - NaiveList.longestRun(staying.compactMap { places[$0] })
        if moves != least { throw NaiveList.Mistake(text: "\(moves) moves where \(least) do") }
        let changed = Set(
            kept.filter { key in
                before[key]?.order != after[key]?.order || before[key]?.revision != after[key]?.revision
                    || isSectioned && before[key]?.section != after[key]?.section
            })
        let named = Set(difference.steps.compactMap(\.objectID?.key))
        if !changed.isSubset(of: named) {
            throw NaiveList.Mistake(text: "\(changed.subtracting(named)) not reported")
        }
    }
}
