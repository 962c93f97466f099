import ContextCore

/// The model of the case about composites whose parts are all optional.
enum BuoyModel {
    static let classes: [ManagedObject.Type] = [Buoy.self]
}

@Composite struct Position: Equatable {
    var longitude: Double?
    var latitude: Double?
}

@Entity final class Buoy: ManagedObject {
    var name: String
    var position: Position = Position(longitude: nil, latitude: nil)
    @Attribute(.preserveValueOnDeletion) var laid: Position = Position(longitude: nil, latitude: nil)
}
