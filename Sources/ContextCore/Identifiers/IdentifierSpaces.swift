import Foundation

/// The identifier spaces of a store, one per inheritance tree.
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

    /// Creates a space for objects that belong to no store.
    init(probing storeID: UUID) {
        self.storeID = storeID
        spaces = [IdentifierSpace(storeID: storeID, entityName: "", rootIndex: 0)]
    }

    /// Returns the index of the root entity of an identifier that one of these spaces issued, without comparing names.
    func rootIndex(of id: ObjectID) -> Int? {
        guard let rootIndex = id.space.rootIndex, rootIndex < spaces.count, spaces[rootIndex] === id.space
        else { return nil }
        return rootIndex
    }

    /// Returns the identifier of an entity's object.
    func id(of key: Int64, in layout: EntityLayout) -> ObjectID {
        ObjectID(space: spaces[layout.rootIndex], key: key)
    }
}
