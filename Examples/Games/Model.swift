import ContextCore
import Foundation

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    /// The sum of its players' scores; code that changes a score updates it.
    var points: Int = 0
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}

/// The season of all games; the store contains one.
@Entity final class Season: ManagedObject {
    /// The number of rounds played.
    var rounds: Int = 0
}
