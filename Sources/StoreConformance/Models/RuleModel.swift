import ContextCore
import Foundation

/// The model of the cases about rules: unique constraints, delete rules, validation and hooks.
enum RuleModel {
    static let classes: [ManagedObject.Type] = [
        Seat.self, Account.self, Box.self, Item.self, Label.self, Note.self, Hooked.self,
    ]
}

/// An entity with a compound unique constraint and a unique optional code.
@Entity(unique: [[\.hall, \.row, \.number]]) final class Seat: ManagedObject {
    var hall: String
    var row: Int?
    var number: Int
    @Attribute(.unique) var code: String?
}

@Entity final class Account: ManagedObject {
    @Attribute(.length(1...20), .pattern("[a-z]+")) var login: String
    @Attribute(.range(0...150)) var age: Int
    var home: Box
    @Attribute(.preserveValueOnDeletion) var number: Int = 0
}

/// An entity whose relationships have different delete rules.
@Entity final class Box: ManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \.box) var items: Set<Item>
    @Relationship(deleteRule: .nullify, inverse: \.box) var labels: Set<Label>
    @Relationship(deleteRule: .noAction, inverse: \.box) var notes: Set<Note>
    @Relationship(deleteRule: .deny, inverse: \Account.home) var accounts: Set<Account>
    @Relationship(deleteRule: .cascade, inverse: \.parts) var whole: Box?
    @Relationship(deleteRule: .cascade, inverse: \.whole, maximumCount: 3) var parts: Set<Box>
}

@Entity final class Item: ManagedObject {
    var name: String
    var box: Box?
}

@Entity final class Label: ManagedObject {
    var name: String
    var box: Box?
}

@Entity final class Note: ManagedObject {
    var name: String
    var box: Box?
}

/// An entity whose hooks change the object and reject its deletion.
@Entity final class Hooked: ManagedObject {
    var name: String
    var revision: Int = 0
    var createdBy: String?

    override func awakeFromInsert() { createdBy = "hook" }
    override func willSave() {
        if !isDeleted, changedPropertyNames.contains("name") && revision < 100 && !name.hasSuffix("!") {
            name += "!"
        }
        if name == "restless!" { revision += 1 }
    }
    override func validateForDelete() throws {
        if name == "kept!" {
            throw ValidationFailure(objectID: objectID, entityName: "Hooked", rule: "is kept")
        }
    }
}
