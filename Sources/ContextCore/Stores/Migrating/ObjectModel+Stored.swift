extension StoreBackend {
    /// Reads the current model of a store.
    ///
    /// - Throws: ``StoreError/Code/storeNotFound`` or ``StoreError/Code/notAStore`` if there is no store.
    public func storedModel(of url: StoreURL) throws -> ObjectModel {
        let inspector = try inspect(url)
        defer { inspector.close() }
        return try ObjectModel(storedIn: inspector)
    }
}

extension ObjectModel {
    /// Reads the current model of a store.
    package convenience init(storedIn inspector: any StoreInspector) throws {
        try self.init(currentAmong: inspector.models())
    }

    /// Creates the current model of a store, which is the last of its models.
    package convenience init(currentAmong models: [StoredModel]) throws {
        try self.init(fileText: models.currentModel().fileText, fileName: "the store's model")
    }
}

extension [StoredModel] {
    /// Returns the last model, which is current.
    package func currentModel() throws(StoreError) -> StoredModel {
        if let last { return last }
        throw StoreError(
            .corrupt, "The store's metadata contains no model, so the store is damaged.",
            remedy: "Restore a backup of the store.")
    }
}
