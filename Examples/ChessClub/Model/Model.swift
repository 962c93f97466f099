import ContextCore

@Entity public final class Member: ManagedObject {
    @Relationship(deleteRule: .deny, inverse: \Entry.member) public var entries: Set<Entry>
    @Attribute(.unique, .length(1...60)) public var name: String
    @Attribute(.range(0...3000)) public var rating: Int = 1200
}

/// The classes of the model.
public let clubModel: [ManagedObject.Type] = [
    Member.self, Tournament.self, Entry.self, Game.self, RatedPlayer.self,
]

@Entity public final class Tournament: ManagedObject {
    @Attribute(.unique) public var name: String
    @Relationship(deleteRule: .cascade, inverse: \Entry.tournament) public var entries: Set<Entry>
    @Relationship(deleteRule: .cascade, inverse: \Game.tournament) public var games: [Game]
}

/// A member's place in a tournament.
@Entity public final class Entry: ManagedObject {
    public var score: Double = 0
    public var member: Member
    public var tournament: Tournament
    @Relationship(deleteRule: .cascade, inverse: \Game.white) public var whiteGames: Set<Game>
    @Relationship(deleteRule: .cascade, inverse: \Game.black) public var blackGames: Set<Game>
}

@Entity public final class Game: ManagedObject {
    public var result: Outcome = .open
    public var white: Entry
    public var black: Entry
    public var tournament: Tournament
}

public enum Outcome: String, CaseIterable, AttributeValue {
    case open, white, black, draw
}

/// A player in the federation's list.
@Entity public final class RatedPlayer: ManagedObject {
    @Attribute(.unique) public var number: Int
    public var rating: Int
}
