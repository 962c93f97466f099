import ContextCore
import Foundation

/// The model of most cases: games with players and ordered rounds, and people who own or like games.
enum GameModel {
    static let classes: [ManagedObject.Type] = [
        Game.self, Player.self, Round.self, Person.self, Employee.self, Manager.self,
    ]
}

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
    var rating: Double?
    var startedAt: Date?
    @Attribute(.decimal(precision: 10, scale: 2)) var price: Decimal?
    var owner: Person?
    @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
    @Relationship(deleteRule: .cascade, inverse: \Round.game) var rounds: [Round]
    @Relationship(inverse: \.favourites) var fans: Set<Person>
    @Derived(.count(\.players)) var playerCount: Int
}

@Entity final class Player: ManagedObject {
    @Attribute(.indexed) var name: String
    var nick: String?
    @Attribute(.range(-1000...1_000_000)) var score: Int = 0
    var bonus: Int?
    var speed: Double?
    var isActive: Bool = true
    var joinedAt: Date?
    @Transient var mood: String = "calm"
    var game: Game?
}

@Entity final class Round: ManagedObject {
    var number: Int
    var game: Game?
}

@Entity class Person: ManagedObject {
    @Attribute(.length(1...40)) var name: String
    var mentor: Person?
    @Relationship(inverse: \.mentor) var pupils: Set<Person>
    @Relationship(inverse: \.friends) var friends: Set<Person>
    @Relationship(inverse: \Game.owner) var games: Set<Game>
    @Relationship(inverse: \Game.fans) var favourites: [Game]
}

@Entity class Employee: Person {
    var role: String
    var boss: Manager?
    @Attribute(.decimal(precision: 12, scale: 2)) var salary: Decimal = 0
}

@Entity final class Manager: Employee {
    var budget: Int = 0
}
