import Foundation

/// The identifier space of each inheritance tree of a store.
final class IdentifierSpaces: Sendable {
    let storeID: UUID
    private let spaces: [IdentifierSpace]

    init(model: ObjectModel, storeID: UUID) {
        self.storeID = storeID
        spaces = model.layouts.map { layout in
            let root = model.layouts[layout.rootIndex]
            return IdentifierSpace(storeID: storeID, entityName: root.name, rootIndex: root.index)
        }
    }

    /// A space for objects that are in no store.
    init(probing storeID: UUID) {
        self.storeID = storeID
        spaces = [IdentifierSpace(storeID: storeID, entityName: "", rootIndex: 0)]
    }

    /// The uppermost entity that an identifier is of, if it is one that was given out here; found without comparing names.
    func rootIndex(of id: ObjectID) -> Int? {
        guard let rootIndex = id.space.rootIndex, rootIndex < spaces.count, spaces[rootIndex] === id.space
        else { return nil }
        return rootIndex
    }

    /// The identifier of an entity's object.
    func id(of key: Int64, in layout: EntityLayout) -> ObjectID {
        ObjectID(space: spaces[layout.rootIndex], key: key)
    }
}
