import ContextCore

/// The model of the case about an index of a subentity that includes an inherited property.
enum NoticeModel {
    static let classes: [ManagedObject.Type] = [Notice.self, LongNotice.self]
}

@Entity class Notice: ManagedObject {
    @Attribute(.unique) var number: Int
    var title: String
}

@Entity(indexes: [.index(.ascending(\.title), .ascending(\.summary))]) final class LongNotice: Notice {
    var summary: String = ""
}
