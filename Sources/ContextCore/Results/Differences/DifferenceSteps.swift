/// Converts the differences of two lists into steps that can be applied in order.
///
/// The order is: deleted rows, from the end; inserted sections; moved rows, in their new order; inserted rows, in order; deleted sections,
/// from the end; updated rows. While rows are moved and inserted, the list has the merged sections of both lists.
struct DifferenceSteps {
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
        let (moves, stationary) = movesAndStationaryRows()
        var steps = edits.deleted.reversed().map { rank in
            let location = old.list.location(atRank: rank)
            return ResultsStep.delete(
                old.rowIdentifiers.id(old.list.rows[rank]),
                at: ResultsPosition(section: location.section, row: location.row))
        }
        steps += sections.added.map { entry in
            ResultsStep.insertSection(ResultsSection(entry.element), at: mergedSection(new: entry.rank))
        }
        steps += MoveSequence(moves, deleted: edits.deleted, inserted: edits.inserted).steps(
            new.rowIdentifiers)
        steps += edits.inserted.map { rank in
            let location = new.list.location(atRank: rank)
            return ResultsStep.insert(
                new.rowIdentifiers.id(new.list.rows[rank]),
                at: ResultsPosition(section: mergedSection(new: location.section), row: location.row))
        }
        steps += sections.removed.reversed().map { entry in
            ResultsStep.deleteSection(ResultsSection(entry.element), at: mergedSection(old: entry.rank))
        }
        // A row that is updated with the same sort values may be among the moves.
        let moved = Set(moves.map(\.to.rank))
        let updated = (edits.updated + stationary).filter { !moved.contains($0) }.sorted()
        return steps
            + updated.map { rank in
                let location = new.list.location(atRank: rank)
                return ResultsStep.update(
                    new.rowIdentifiers.id(new.list.rows[rank]),
                    at: ResultsPosition(section: location.section, row: location.row))
            }
    }

    // MARK: Moves

    /// Returns the moves in the new order, and the new ranks of the rows that don't move although their sort values changed.
    private func movesAndStationaryRows() -> (moves: [RowMove], stationary: [Int]) {
        let shifted = edits.shifted
        let oldTouched = (edits.deleted + shifted.map(\.oldRank)).sorted()
        let newTouched = (edits.inserted + shifted.map(\.newRank)).sorted()
        let staying = shifted.indices.filter { !shifted[$0].changesSection }
        let found = StationaryRows(
            staying.map { index in
                let shift = shifted[index]
                return (
                    before: shift.oldRank - oldTouched.count(below: shift.oldRank),
                    after: shift.newRank - newTouched.count(below: shift.newRank), oldRank: shift.oldRank
                )
            }, unchanged: old.list.count - oldTouched.count)
        let stationary = Set(found.shifts.map { staying[$0] })
        var moves = shifted.indices.filter { !stationary.contains($0) }.map { index in
            move(shifted[index].row, from: shifted[index].oldRank, to: shifted[index].newRank)
        }
        for position in found.movedBlocks.joined() {
            let rank = newTouched.rank(ofUntouched: position)
            moves.append(
                move(new.list.rows[rank], from: oldTouched.rank(ofUntouched: position), to: rank))
        }
        return (
            moves.sorted { $0.to.rank < $1.to.rank }, stationary.map { shifted[$0].newRank }
        )
    }

    private func move(_ row: ResultsRow, from: Int, to: Int) -> RowMove {
        let (from, to) = (old.list.location(atRank: from), new.list.location(atRank: to))
        return RowMove(
            row: row, from: from, to: to, oldSection: mergedSection(old: from.section),
            newSection: mergedSection(new: to.section))
    }

    // MARK: Sections

    /// Returns the index of an old section in the merged sections of both lists.
    private func mergedSection(old index: Int) -> Int {
        let entry = old.list.sections[index]
        return index + TreeChanges.count(sections.added, before: entry)
    }

    /// Returns the index of a new section in the merged sections of both lists.
    private func mergedSection(new index: Int) -> Int {
        let entry = new.list.sections[index]
        return index + TreeChanges.count(sections.removed, before: entry)
    }
}

extension [Int] {
    /// Returns the number of elements of this sorted array that are below a number.
    func count(below number: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the rank of the untouched row with the given index among the untouched rows.
    ///
    /// This sorted array contains the ranks of the touched rows.
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
