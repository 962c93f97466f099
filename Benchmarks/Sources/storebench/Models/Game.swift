import ContextCore

/// A game in the workloads with relationships.
@Entity final class Game: ManagedObject {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

/// A player of a ``Game``.
@Entity final class Player: ManagedObject {
    var name: String
    var score: Int
    var game: Game?
}
