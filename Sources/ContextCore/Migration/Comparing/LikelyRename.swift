/// A missing entity or property, and the new ones of the same shape, one of which it may have become.
package struct LikelyRename: Sendable, Hashable {
    /// The name in the older model: `Match`, or `Match.name`.
    package let former: String
    /// The names in the newer model: `Game`, or `Game.title`.
    package let candidates: [String]
}

extension MigrationHints {
    /// Records that a missing part was renamed.
    ///
    /// - Parameter name: One of the candidates; nil if the part was removed.
    package mutating func decide(_ rename: LikelyRename, as name: String?) {
        guard let name else {
            removed.insert(rename.former)
            return
        }
        let former = ModelPart(rename.former)
        renames[name] = former.property ?? former.entity
    }
}
