/// Decides which objects of a one-to-one relationship belong together where its two ends disagree.
///
/// Two objects that refer to each other stay together. Of the others, a reference holds if neither of its objects has
/// been chosen already: those first whose relationship is required, then those of the first end, then those of lower keys.
struct OneToOnePairs {
    /// An object at one of the two ends; a relationship that is its own inverse has one end.
    struct Member: Hashable, Comparable {
        let end: Int
        let key: Int64

        static func < (first: Member, second: Member) -> Bool {
            (first.end, first.key) < (second.end, second.key)
        }
    }

    private let references: [Member: Member]
    private(set) var partners: [Member: Member] = [:]

    /// - Parameters:
    ///   - references: What each object refers to, where that is an object of the right entity.
    ///   - isRequired: Whether the objects of an end must refer to one.
    init(_ references: [Member: Member], isRequired: (Int) -> Bool) {
        self.references = references
        let sorted = references.sorted { first, second in
            let (own, others) = (isRequired(first.key.end), isRequired(second.key.end))
            return own == others ? first.key < second.key : own
        }
        for (source, target) in sorted where references[target] == source { partners[source] = target }
        for (source, target) in sorted where partners[source] == nil && partners[target] == nil {
            partners[source] = target
            partners[target] = source
        }
    }

    /// The objects whose reference changes, in order.
    var changed: [Member] {
        Set(references.keys).union(partners.keys).filter { references[$0] != partners[$0] }.sorted()
    }
}
