import ContextCore
import Foundation

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    var startedAt: Date = .now
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}
