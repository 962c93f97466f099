import ContextCore

/// The model of the cases about entity inheritance and referential integrity: unique constraints at each level, required
/// references, and links with the delete rule `noAction`.
enum OfficeModel {
    static let classes: [ManagedObject.Type] = [
        Paper.self, Letter.self, Bill.self, Keeper.self, Tag.self, Folder.self, Sheet.self, Binder.self,
        Page.self,
    ]
}

/// An entity whose number is unique among all papers, and whose code is unique among letters only.
@Entity class Paper: ManagedObject {
    @Attribute(.unique) var number: Int
    var code: String?
    @Relationship(deleteRule: .deny, inverse: \.papers) var keeper: Keeper?
    @Relationship(deleteRule: .noAction, inverse: \.papers) var tags: Set<Tag>
}

@Entity(unique: [[\.code]]) final class Letter: Paper {
    var sender: String?
}

@Entity final class Bill: Paper {
    var amount: Int = 0
}

@Entity final class Keeper: ManagedObject {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Paper.keeper) var papers: Set<Paper>
}

@Entity final class Tag: ManagedObject {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Paper.tags) var papers: [Paper]
}

/// An entity whose rule nullifies a required reference: deleting a folder with sheets fails.
@Entity final class Folder: ManagedObject {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Sheet.folder) var sheets: Set<Sheet>
}

@Entity final class Sheet: ManagedObject {
    var name: String
    var folder: Folder
}

@Entity final class Binder: ManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Page.binder, minimumCount: 1) var pages: [Page]
}

@Entity final class Page: ManagedObject {
    var number: Int
    @Attribute(.unique) var code: String?
    var binder: Binder?
}
