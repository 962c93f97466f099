@testable import ContextCore

/// A list of sections that applies steps one after the other, as a table view does.
struct NaiveList {
    struct Mistake: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    private(set) var sections: [[Int64]]
    private var seen: Set<Int64> = []

    init(_ sections: [[Int64]]) { self.sections = sections }

    mutating func apply(_ step: ResultsStep) throws {
        if let id = step.objectID, !seen.insert(id.key).inserted {
            throw Mistake(text: "\(id.key) occurs twice")
        }
        switch step {
        case .delete(let id, let place): try remove(id, place)
        case .insert(let id, let place): try insert(id, place)
        case .move(let id, let from, let to):
            try remove(id, from)
            try insert(id, to)
        case .update(let id, let place):
            if sections[place.section][place.row] != id.key {
                throw Mistake(text: "\(id.key) is not at \(place)")
            }
        case .insertSection(_, let index): sections.insert([], at: index)
        case .deleteSection(_, let index):
            if !sections[index].isEmpty { throw Mistake(text: "section \(index) has rows") }
            sections.remove(at: index)
        }
    }

    private mutating func remove(_ id: ObjectID, _ place: ResultsPosition) throws {
        guard sections.indices.contains(place.section), sections[place.section].indices.contains(place.row),
            sections[place.section][place.row] == id.key
        else { throw Mistake(text: "\(id.key) is not at \(place) in \(sections)") }
        sections[place.section].remove(at: place.row)
    }

    private mutating func insert(_ id: ObjectID, _ place: ResultsPosition) throws {
        guard sections.indices.contains(place.section), place.row <= sections[place.section].count else {
            throw Mistake(text: "\(place) is beyond \(sections)")
        }
        sections[place.section].insert(id.key, at: place.row)
    }

    /// Throws unless this list equals the new list and the snapshot of the difference.
    func check(_ difference: ResultsDifference, _ old: [[Int64]], _ new: [[Int64]]) throws {
        if sections != new { throw Mistake(text: "\(old) became \(sections) instead of \(new)") }
        let snapshot = difference.snapshot
        let list = snapshot.sections.indices.map { snapshot.objectIDs(inSection: $0).map(\.key) }
        if list != new { throw Mistake(text: "the list is \(list) instead of \(new)") }
        for (section, keys) in new.enumerated() {
            for (row, key) in keys.enumerated() {
                let position = ResultsPosition(section: section, row: row)
                guard snapshot[position].key == key, snapshot.position(of: snapshot[position]) == position
                else {
                    throw Mistake(text: "\(key) is not found at \(position)")
                }
            }
        }
        if let violation = snapshot.list.rows.invariantViolation() { throw Mistake(text: violation) }
    }

    /// Returns the length of the longest increasing subsequence.
    static func longestRun(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (index, number) in numbers.enumerated() {
            lengths.append(
                1 + (numbers[..<index].indices.filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0)
            )
        }
        return lengths.max() ?? 0
    }
}
