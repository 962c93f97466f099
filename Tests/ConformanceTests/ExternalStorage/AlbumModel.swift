import ContextCore

/// A model of albums of clips, with external storage of images and texts or without.
enum AlbumModel {
    /// The random values have up to 40 bytes, so half of them reach the threshold.
    static let threshold = 20

    static func model(threshold: Int?) throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Album", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription(
                        "clips", to: "Clip", inverse: "album", isToMany: true, deleteRule: .cascade)
                ]),
            EntityDescription(
                "Clip",
                attributes: [
                    AttributeDescription("name", .string),
                    AttributeDescription("image", .data, isOptional: true, externalThreshold: threshold),
                    AttributeDescription(
                        "text", .string, default: .value(.string("")), externalThreshold: threshold,
                        preservesValueOnDeletion: true),
                ], relationships: [RelationshipDescription("album", to: "Album", inverse: "clips")]),
        ])
    }
}
