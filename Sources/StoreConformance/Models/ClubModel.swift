import ContextCore

/// The model of the cases about upserts: unique constraints at two levels of a tree, and derived attributes.
enum ClubModel {
    static let classes: [ManagedObject.Type] = [Club.self, Member.self, Coach.self]
}

@Entity final class Club: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \Member.club) var members: Set<Member>
    @Derived(.count(\.members)) var size: Int
    @Derived(.sum(\.members, \.score)) var total: Int
}

@Entity class Member: ManagedObject {
    @Attribute(.unique) var email: String
    var name: String = "nobody"
    @Attribute(.range(0...100)) var score: Int = 5
    var club: Club?
    @Derived(.lowercased(\.name)) var plainName: String
}

/// A subentity with its own unique constraint.
@Entity(unique: [[\.licence]]) final class Coach: Member {
    var licence: Int?
}
