import ContextCore
import Foundation
import Hummingbird

/// The store, and what the routes need beside it.
struct Club: Sendable {
    let store: Store
    /// The store's identity, which is part of every identifier.
    let storeID: UUID
    /// The context of all lists that clients follow.
    let lists: ContextActor

    init(store: Store) async throws {
        self.store = store
        storeID = try await store.metadata().storeID
        lists = store.makeBackgroundContext(name: "lists", isReadOnly: true)
    }

    /// Returns the identifier of an object by its number.
    func id(_ number: Int64, of type: ManagedObject.Type) throws -> ObjectID {
        let uri = "contextcore://\(storeID.uuidString)/\(type.entityName)/\(number)"
        guard let id = ObjectID(uri: uri) else { throw HTTPError(.notFound) }
        return id
    }

    /// Returns the identifier of the object that the path of a request names.
    func id(of type: ManagedObject.Type, in context: ClubRequestContext) throws -> ObjectID {
        try id(context.parameters.require("id", as: Int64.self), of: type)
    }
}

extension ObjectID {
    /// The number that clients use for the object: `12` of `Member/12`.
    var number: Int64 { Int64(description.drop { $0 != "/" }.dropFirst()) ?? 0 }
}

extension ObjectContext {
    /// Fetches the object with an identifier, as its class.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if there is no such object.
    func existing<Object: ManagedObject>(_ type: Object.Type, _ id: ObjectID) throws -> Object {
        _ = try existingObject(with: id)
        return try object(with: id, as: type)
    }
}
