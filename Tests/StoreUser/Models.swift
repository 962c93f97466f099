import ContextCore
import Foundation

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    @Attribute(.externalStorage(over: 100)) var board: Data?
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
}

@Entity final class Player: ManagedObject {
    var name: String
    var score: Int = 0
    var game: Game?
}

@Entity final class Job: ManagedObject {
    @Attribute(.unique) var number: Int
    var taker: String?
}

/// The model of the store that the processes and their tests use.
enum StoreUserModel {
    static let classes: [ManagedObject.Type] = [Game.self, Player.self, Job.self]
}
