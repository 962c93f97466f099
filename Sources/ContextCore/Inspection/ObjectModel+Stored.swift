extension StoreBackend {
    /// Reads the model that a store keeps.
    ///
    /// - Throws: ``StoreError/Code/storeNotFound`` or ``StoreError/Code/notAStore`` where there is no store.
    public func storedModel(of url: StoreURL) throws -> ObjectModel {
        let inspector = try inspect(url)
        defer { inspector.close() }
        return try ObjectModel(storedIn: inspector)
    }
}

extension ObjectModel {
    /// Reads the model that is in force in a store.
    package convenience init(storedIn inspector: any StoreInspector) throws {
        try self.init(inForceAmong: inspector.models())
    }

    /// Reads the model that is in force among all that a store keeps.
    package convenience init(inForceAmong models: [StoredModel]) throws {
        try self.init(fileText: models.inForce().fileText, fileName: "the store's model")
    }
}

extension [StoredModel] {
    /// The one that is in force.
    package func inForce() throws(StoreError) -> StoredModel {
        if let last { return last }
        throw StoreError(.corrupt, "The store keeps no model.", remedy: "Restore a backup.")
    }
}
