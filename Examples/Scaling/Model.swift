import ContextCore

// Items with two relationships each: one to a box, whose deletion cascades to them, and one to a label.

@Entity final class Box: ManagedObject {
    var number: Int
    @Relationship(deleteRule: .cascade, inverse: \Item.box) var items: Set<Item>
}

@Entity final class Label: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Item.label) var items: Set<Item>
}

@Entity final class Item: ManagedObject {
    var name: String
    var weight: Int = 1
    var box: Box?
    var label: Label?
}
