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
        guard let stored = try inspector.models().last else {
            throw StoreError(.corrupt, "The store keeps no model.", remedy: "Restore a backup.")
        }
        try self.init(fileText: stored.fileText, fileName: "the store's model")
    }
}
