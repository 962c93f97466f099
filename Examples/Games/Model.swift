import ContextCore
import Foundation

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    /// The sum of its players' scores, kept by whoever changes one.
    var points: Int = 0
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}

/// What all games have in common: there is one.
@Entity final class Season: ManagedObject {
    /// How many rounds have been played.
    var rounds: Int = 0
}
