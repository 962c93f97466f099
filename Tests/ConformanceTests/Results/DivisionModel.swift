import ContextCore

// The domain of the random scripts: sections that come and go with what a relationship leads to, cascades, and members to be counted.

@Entity final class Division: ManagedObject {
    var name: String = ""
    var rank: Int = 0
    @Relationship(deleteRule: .cascade, inverse: \Team.division) var teams: Set<Team>
}

@Entity final class Team: ManagedObject {
    var name: String = ""
    var points: Int = 0
    var division: Division?
    @Relationship(inverse: \Fan.team) var fans: Set<Fan>
}

@Entity final class Fan: ManagedObject {
    var age: Int = 0
    var team: Team?
}
