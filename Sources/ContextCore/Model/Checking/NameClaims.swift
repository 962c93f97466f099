/// The names that are in use among the columns of one table, or among all tables.
struct NameClaims {
    private struct Claim {
        var name: String
        var entity: String
        var property: String?

        var location: String { property.map { "\(entity).\($0)" } ?? "the entity \(entity)" }
    }

    /// The kind of the names for messages: "table" or "column".
    let kind: String
    private var claims: [String: Claim] = [:]

    init(kind: String) {
        self.kind = kind
    }

    /// Reserves a name and returns true, or reports a collision and returns false.
    @discardableResult
    mutating func claim(
        _ name: String, entity: String, property: String?, _ problems: inout ModelProblems
    ) -> Bool {
        let written = SnakeCase.name(name)
        let longest = written.utf8.count > name.utf8.count ? written : name
        if longest.utf8.count > ReservedNames.maximumLength {
            problems.report(
                .nameTooLong, entity, property,
                "In SQL it becomes the \(kind) “\(longest)” of \(longest.utf8.count) bytes, but PostgreSQL allows only "
                    + "\(ReservedNames.maximumLength): shorten it.")
        }
        let claim = Claim(name: name, entity: entity, property: property)
        guard let other = claims[written] else {
            claims[written] = claim
            return true
        }
        report(claim, against: other, &problems)
        return false
    }

    private func report(_ claim: Claim, against other: Claim, _ problems: inout ModelProblems) {
        if claim.name.lowercased() != other.name.lowercased() {
            return problems.report(
                .collidingName, claim.entity, claim.property,
                "In SQL it becomes the \(kind) “\(SnakeCase.name(claim.name))”, and so does \(other.location): rename one."
            )
        }
        guard claim.name == claim.property, claim.name == other.property else {
            return problems.report(
                .collidingName, claim.entity, claim.property,
                "In SQL it becomes the \(kind) “\(claim.name)”, and \(other.location) becomes “\(other.name)”, and databases that "
                    + "ignore case can't distinguish them: rename one.")
        }
        problems.report(
            .duplicateName, claim.entity, claim.property,
            claim.entity == other.entity
                ? "Two properties have this name: rename one."
                : "\(other.location) has this name too, and both entities are in one table: rename one, or declare the property once "
                    + "in a common superentity.")
    }
}
