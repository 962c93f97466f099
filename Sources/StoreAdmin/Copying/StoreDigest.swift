import ContextCore

/// Digests of what a store holds: the same for the same contents on every backend.
///
/// The objects of an entity go in order of their keys, a thousand at a time; the digests of those are digested again.
struct StoreDigest: Sendable, Equatable {
    /// The digest of one entity's own objects.
    struct Entity: Sendable, Equatable {
        let name: String
        let count: Int
        let digest: String
    }

    static let chunk = 1000

    let entities: [Entity]

    /// - Parameters:
    ///   - output: Where it is said how far it is.
    ///   - betweenChunks: Throws where reading should stop.
    init(
        _ session: any ReadSession, _ model: ObjectModel, of entities: [EntityLayout], _ output: Output,
        betweenChunks: () throws -> Void = {}
    ) throws {
        let progress = ProgressLine(output)
        defer { progress.finish() }
        let reader = ObjectRecordReader(session: session, model: model)
        self.entities = try entities.filter { !$0.isAbstract }.map { entity in
            let chunks = try KeyChunks(entity, session, size: Self.chunk)
            var digests: [UInt8] = []
            var done = 0
            for keys in chunks {
                try betweenChunks()
                var bytes: [UInt8] = []
                for record in try reader.records(keys, of: entity) { record.appendBytes(to: &bytes, entity) }
                digests += SHA256.digest(of: bytes)
                done += keys.count
                progress.tell("reading \(entity.name)", done, of: chunks.count)
            }
            return Entity(
                name: entity.name, count: chunks.count, digest: Self.text(SHA256.digest(of: digests)))
        }
    }

    /// The digest of everything.
    var total: String {
        SHA256.hexDigest(of: entities.map { "\($0.name) \($0.count) \($0.digest)\n" }.joined())
    }

    private static func text(_ digest: [UInt8]) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
