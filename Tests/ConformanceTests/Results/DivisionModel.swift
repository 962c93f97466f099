import ContextCore

// The model of the random scripts: sections by a property of a related object, cascades, and members to count.

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
