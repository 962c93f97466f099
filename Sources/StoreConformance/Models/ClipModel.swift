import ContextCore
import Foundation

/// The model of the cases about values that are declared for external storage.
enum ClipModel {
    static let classes: [ManagedObject.Type] = [Clip.self]
}

@Entity final class Clip: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.externalStorage(over: 10)) var image: Data?
    @Attribute(.externalStorage(over: 10), .preserveValueOnDeletion) var text: String = ""
    @Attribute(.codable, .externalStorage(over: 10)) var tags: [String] = []
    var rating: Int = 0
}
