// The class that the programs in this folder use: an entity without macros, equal to the expansion of `@Entity`.
import ContextCore

final class Game: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            "Game", attributes: [AttributeDescription("title", .string)],
            relationships: [
                RelationshipDescription("rematches", to: "Game", inverse: "origin", isToMany: true),
                RelationshipDescription("origin", to: "Game", inverse: "rematches"),
            ])
    }

    var origin: Game? {
        get { value(at: 0) }
        set { setValue(newValue, at: 0) }
    }

    var rematches: Set<Game> {
        get { value(at: 1) }
        set { setValue(newValue, at: 1) }
    }

    var title: String {
        get { value(at: 2) }
        set { setValue(newValue, at: 2) }
    }
}
