#if SQLite
import ContextCore

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}
#endif
