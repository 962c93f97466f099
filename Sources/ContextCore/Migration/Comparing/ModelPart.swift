/// The path of an entity or a property in hints and stages: `Game`, or `Game.title`.
package struct ModelPart {
    /// The name of the entity.
    package let entity: String
    /// The part of the path after its first period; nil if it names an entity.
    package let property: String?

    /// Parses a path.
    package init(_ path: String) {
        let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        entity = String(parts[0])
        property = parts.count == 2 ? String(parts[1]) : nil
    }
}
