import RandomSeeds

/// A step of a random sequence: its kind, and three numbers that select objects and values.
///
/// The numbers are taken modulo the number of candidates, so a sequence stays valid when steps are removed.
struct RandomStep: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case insert, insertLinked, insertMany
        case setNumber, clearNumber, setText, setSameValues, setNumberBackAndForth
        case setOne, clearOne, setOneBackAndForth, moveOne
        case addMany, removeMany, assignMany, clearMany, assignSameMany, addUnloaded
        case insertFirst, reverseOrder, rotateOrder, removeFirst
        case delete, deleteTwo, deleteAll, insertAndDelete
        case save, saveOnly, saveTwice, rollback, undo, redo, undoTwice, group, processPendingChanges
        case makeChild, saveChild, discardChild, saveToStore
        case refresh, refreshAll, refault, reset, dropReferences, obtainPermanentIDs
        case fetchAll, fetchFiltered, fetchAcross, fetchAny, fetchSorted, fetchWindow, fetchIDs, count, pages
        case prefetch, readOne, readAll, readFresh
        case membersInsert, membersRemove, membersAsk
        case outsideEdit, outsideDelete, parentEdit, batchUpdate, batchDelete, batchInsert, saveSome
    }

    let kind: Kind
    let a: Int
    let b: Int
    let c: Int

    var description: String { ".\(kind)(\(a), \(b), \(c))" }

    static func sequence(seed: UInt64) -> [RandomStep] {
        var random = SeededRandom(seed: seed)
        return (0..<Int.random(in: 4...40, using: &random)).map { index in
            // Insert objects first, since the other steps need some.
            let kind = index < 4 ? Kind.insert : Kind.allCases.randomElement(using: &random) ?? .insert
            return RandomStep(
                kind: kind, a: Int.random(in: 0..<1000, using: &random),
                b: Int.random(in: 0..<1000, using: &random), c: Int.random(in: 0..<1000, using: &random))
        }
    }
}
