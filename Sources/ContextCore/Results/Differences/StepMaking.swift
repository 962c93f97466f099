/// Puts what has changed in a list into steps, in an order in which they can be done.
///
/// Rows that go, from the end; sections that come; rows that move, in their new order; rows that come, in their order; sections that go,
/// from the end; rows that change. From the second of these to the last but one, the list has the sections of both.
struct StepMaking {
    private let old: ResultsSnapshot
    private let new: ResultsSnapshot
    private let edits: ListEdits
    private let sections: TreeChanges<SectionEntry>

    init(from old: ResultsSnapshot, to new: ResultsSnapshot) {
        self.old = old
        self.new = new
        edits = ListEdits(from: old.list, to: new.list)
        sections = TreeChanges(from: old.list.sections, to: new.list.sections)
    }

    func steps() -> [ResultsStep] {
        let (moves, standing) = movesAndStanding()
        var steps = edits.deleted.reversed().map { rank in
            let place = old.list.place(atRank: rank)
            return ResultsStep.delete(
                old.naming.id(old.list.rows[rank]),
                at: ResultsPosition(section: place.section, row: place.row))
        }
        steps += sections.added.map { entry in
            ResultsStep.insertSection(ResultsSection(entry.element), at: sectionOfBoth(new: entry.rank))
        }
        steps += MoveSequence(moves, deleted: edits.deleted, inserted: edits.inserted).steps(new.naming)
        steps += edits.inserted.map { rank in
            let place = new.list.place(atRank: rank)
            return ResultsStep.insert(
                new.naming.id(new.list.rows[rank]),
                at: ResultsPosition(section: sectionOfBoth(new: place.section), row: place.row))
        }
        steps += sections.removed.reversed().map { entry in
            ResultsStep.deleteSection(ResultsSection(entry.element), at: sectionOfBoth(old: entry.rank))
        }
        // A row whose values are the same may still have to make way for others.
        let moved = Set(moves.map(\.to.rank))
        let updated = (edits.updated + standing).filter { !moved.contains($0) }.sorted()
        return steps
            + updated.map { rank in
                let place = new.list.place(atRank: rank)
                return ResultsStep.update(
                    new.naming.id(new.list.rows[rank]),
                    at: ResultsPosition(section: place.section, row: place.row))
            }
    }

    // MARK: Moves

    /// The rows to be moved, in their new order, and the new ranks of those whose values are others, but that stand.
    private func movesAndStanding() -> (moves: [RowMove], standing: [Int]) {
        let shifted = edits.shifted
        let oldTouched = (edits.deleted + shifted.map(\.oldRank)).sorted()
        let newTouched = (edits.inserted + shifted.map(\.newRank)).sorted()
        let staying = shifted.indices.filter { !shifted[$0].changesSection }
        let found = StandingRows(
            staying.map { index in
                let shift = shifted[index]
                return (
                    before: shift.oldRank - oldTouched.count(below: shift.oldRank),
                    after: shift.newRank - newTouched.count(below: shift.newRank), oldRank: shift.oldRank
                )
            }, unchanged: old.list.count - oldTouched.count)
        let standing = Set(found.shifts.map { staying[$0] })
        var moves = shifted.indices.filter { !standing.contains($0) }.map { index in
            move(shifted[index].row, from: shifted[index].oldRank, to: shifted[index].newRank)
        }
        for position in found.movedBlocks.joined() {
            let rank = newTouched.rank(ofUntouched: position)
            moves.append(
                move(new.list.rows[rank], from: oldTouched.rank(ofUntouched: position), to: rank))
        }
        return (
            moves.sorted { $0.to.rank < $1.to.rank }, standing.map { shifted[$0].newRank }
        )
    }

    private func move(_ row: ResultsRow, from: Int, to: Int) -> RowMove {
        let (from, to) = (old.list.place(atRank: from), new.list.place(atRank: to))
        return RowMove(
            row: row, from: from, to: to, oldSection: sectionOfBoth(old: from.section),
            newSection: sectionOfBoth(new: to.section))
    }

    // MARK: Sections

    /// The number of an old section among those of both lists.
    private func sectionOfBoth(old index: Int) -> Int {
        let entry = old.list.sections[index]
        return index + TreeChanges.count(sections.added, before: entry)
    }

    /// The number of a new section among those of both lists.
    private func sectionOfBoth(new index: Int) -> Int {
        let entry = new.list.sections[index]
        return index + TreeChanges.count(sections.removed, before: entry)
    }
}

extension [Int] {
    /// How many numbers of a sorted list are below another one.
    func count(below number: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The rank of the row that so many untouched ones precede, in a sorted list of the touched ones' ranks.
    func rank(ofUntouched position: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] - middle <= position { low = middle + 1 } else { high = middle }
        }
        return position + low
    }
}
