import ContextCore

@testable import StoreAdmin

extension AdminBench {
    /// Reads the objects of a store: their values and links, by `Player:1`.
    func objects(_ url: String) throws -> [String: [String: StoredValue]] {
        try tool.store(url, config: nil).readAll("test") { session, model in
            var objects: [String: [String: StoredValue]] = [:]
            for entity in model.layouts where !entity.isAbstract {
                let keys = try KeyChunks(entity, session, size: 1).all
                for record in try ObjectRecordReader(session: session, model: model).records(keys, of: entity)
                {
                    var values: [String: StoredValue] = [:]
                    for (column, value) in zip(entity.columns, record.values) where !value.isNull {
                        values[column.name] = value
                    }
                    for links in record.links where !links.targets.isEmpty {
                        values[entity.properties[links.slot].name] = .composite(
                            links.targets.map { .int($0) })
                    }
                    objects["\(entity.name):\(record.key)"] = values
                }
            }
            return objects
        }
    }
}
