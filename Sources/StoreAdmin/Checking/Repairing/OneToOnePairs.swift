/// Pairs the objects of a one-to-one relationship whose two directions disagree.
///
/// Two objects that refer to each other stay paired. The other references are considered in order: required ones first, then
/// those of the first end, then by ascending key. A reference makes a pair if both of its objects are still unpaired.
struct OneToOnePairs {
    /// An object at one of the relationship's two ends; a relationship that is its own inverse has only one end.
    struct Member: Hashable, Comparable {
        let end: Int
        let key: Int64

        static func < (first: Member, second: Member) -> Bool {
            (first.end, first.key) < (second.end, second.key)
        }
    }

    private let references: [Member: Member]
    private(set) var partners: [Member: Member] = [:]

    /// Pairs the objects.
    ///
    /// - Parameters:
    ///   - references: The target of each object that refers to an object of the right entity.
    ///   - isRequired: Whether the relationship is required at an end.
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

    /// The objects whose reference changes, in ascending order.
    var changed: [Member] {
        Set(references.keys).union(partners.keys).filter { references[$0] != partners[$0] }.sorted()
    }
}
