import RandomSeeds

/// A step of a random script: its kind, its context, and three numbers that select objects and values.
///
/// The numbers are taken modulo the number of candidates, so that a script stays valid when steps are removed.
struct GraphStep: CustomStringConvertible {
    /// The kind of a step.
    enum Kind: String, CaseIterable {
        case insert, setText, setNumber, delete
        case setOne, clearOne, setPartner
        case addMember, removeMember, assignMembers
        case insertInList, moveInList, reverseList, removeFromList
        case save, saveOnly, saveToStore, failingSave
        case merge, fetch, refresh, refreshAll, rollback
        case undo, redo, undoRedo
        case policy, unload, pin
        case batchUpdate, batchMove, batchDelete

        /// The relative frequency of the kind among random steps.
        var weight: Int {
            switch self {
            case .save: 9
            case .undo, .moveInList: 6
            case .setNumber, .setOne, .addMember, .insertInList, .setPartner, .merge, .insert, .saveOnly: 4
            case .delete, .policy, .unload, .failingSave, .undoRedo, .redo, .removeMember, .removeFromList: 3
            case .rollback, .fetch, .refresh, .refreshAll, .pin, .batchUpdate, .batchDelete: 1
            default: 2
            }
        }
    }

    let kind: Kind
    let context: Int
    let a: Int
    let b: Int
    let c: Int

    var description: String { ".\(kind)(\(context), \(a), \(b), \(c))" }

    /// Returns random steps for a script.
    ///
    /// - Parameter kinds: The kinds of steps that may occur.
    static func sequence(seed: UInt64, count: Int, kinds: [Kind]) -> [GraphStep] {
        var random = SeededRandom(seed: seed)
        let choices = kinds.flatMap { Array(repeating: $0, count: $0.weight) }
        return (0..<count).map { _ in
            GraphStep(
                kind: choices.randomElement(using: &random) ?? .insert,
                context: Int.random(in: 0..<1000, using: &random),
                a: Int.random(in: 0..<1000, using: &random),
                b: Int.random(in: 0..<1000, using: &random), c: Int.random(in: 0..<1000, using: &random))
        }
    }
}
