// What the programs beside this file work with: an entity's class, written by hand as `@Entity` would write it.
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
