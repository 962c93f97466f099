import ContextCore

/// A model with every kind of relationship, delete rule and constraint.
enum ClubModel {
    static func make() throws -> ObjectModel {
        try ObjectModel(entities: [club, person, member, captain, tag, match, note, trophy])
    }

    /// An entity with an ordered relationship to matches, an unordered one to members, and a many-to-many one to tags.
    private static let club = EntityDescription(
        "Club",
        attributes: [
            AttributeDescription("name", .string, preservesValueOnDeletion: true),
            AttributeDescription("city", .string, isOptional: true),
            AttributeDescription("founded", .int64, isOptional: true),
        ],
        relationships: [
            RelationshipDescription(
                "members", to: "Member", inverse: "club", isToMany: true, deleteRule: .nullify),
            RelationshipDescription(
                "matches", to: "Match", inverse: "club", isToMany: true, isOrdered: true, deleteRule: .cascade
            ),
            RelationshipDescription(
                "tags", to: "Tag", inverse: "clubs", isToMany: true, isOrdered: true, deleteRule: .nullify),
            RelationshipDescription(
                "notes", to: "Note", inverse: "club", isToMany: true, deleteRule: .noAction),
            RelationshipDescription(
                "trophies", to: "Trophy", inverse: "club", isToMany: true, deleteRule: .deny),
            RelationshipDescription("rivals", to: "Club", inverse: "rivals", isToMany: true),
        ],
        indexes: [IndexDescription([.init("city"), .init("founded")])],
        uniqueConstraints: [UniqueConstraint(["name"])])

    private static let person = EntityDescription(
        "Person", isAbstract: true, attributes: [AttributeDescription("name", .string)],
        relationships: [
            RelationshipDescription("mentor", to: "Person", inverse: "pupils"),
            RelationshipDescription("pupils", to: "Person", isToMany: true),
        ])

    private static let member = EntityDescription(
        "Member", superentity: "Person",
        attributes: [
            AttributeDescription("score", .int64), AttributeDescription("number", .int32, isOptional: true),
        ],
        relationships: [RelationshipDescription("club", to: "Club")],
        uniqueConstraints: [UniqueConstraint(["club", "number"])])

    private static let captain = EntityDescription(
        "Captain", superentity: "Member", attributes: [AttributeDescription("badge", .uuid, isOptional: true)]
    )

    private static let tag = EntityDescription(
        "Tag", attributes: [AttributeDescription("label", .string)],
        relationships: [RelationshipDescription("clubs", to: "Club", isToMany: true)])

    private static let match = EntityDescription(
        "Match", attributes: [AttributeDescription("goals", .int64)],
        relationships: [RelationshipDescription("club", to: "Club", isOptional: false)])

    private static let note = EntityDescription(
        "Note", attributes: [AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("club", to: "Club")])

    /// An entity with a relationship to a captain that has no inverse.
    private static let trophy = EntityDescription(
        "Trophy", attributes: [AttributeDescription("title", .string)],
        relationships: [
            RelationshipDescription("club", to: "Club"), RelationshipDescription("holder", to: "Captain"),
        ])
}
