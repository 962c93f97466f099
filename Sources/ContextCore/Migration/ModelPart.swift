/// What hints and stages name of a model: an entity, `Game`, or a property of it, `Game.title`.
package struct ModelPart {
    /// The entity.
    package let entity: String
    /// All that a path has after its first dot; nil where it names an entity.
    package let property: String?

    /// Reads a path.
    package init(_ path: String) {
        let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        entity = String(parts[0])
        property = parts.count == 2 ? String(parts[1]) : nil
    }
}
