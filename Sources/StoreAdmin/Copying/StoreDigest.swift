import ContextCore

/// The digests of a store's objects, which are equal for equal contents on every backend.
///
/// An entity's digest is the SHA-256 of the digests of chunks of 1,000 objects, in ascending order of their keys.
struct StoreDigest: Sendable, Equatable {
    /// The digest of one entity's own objects.
    struct Entity: Sendable, Equatable {
        let name: String
        let count: Int
        let digest: String
    }

    /// The number of objects per digest; another number would make the digests of all stores differ from those of earlier versions.
    private static let chunkSize = 1000

    let entities: [Entity]

    /// Computes the digests of the given entities.
    ///
    /// - Parameters:
    ///   - output: The destination of the progress line.
    ///   - betweenChunks: Throws to stop reading.
    init(
        _ session: any ReadSession, _ model: ObjectModel, of entities: [EntityLayout], _ output: Output,
        betweenChunks: () throws -> Void = {}
    ) throws {
        let progress = ProgressLine(output)
        defer { progress.finish() }
        let reader = ObjectRecordReader(session: session, model: model)
        self.entities = try entities.filter { !$0.isAbstract }.map { entity in
            let chunks = try KeyChunks(entity, session, size: Self.chunkSize)
            var digests: [UInt8] = []
            var done = 0
            for keys in chunks {
                try betweenChunks()
                var bytes: [UInt8] = []
                for record in try reader.records(keys, of: entity) { record.appendBytes(to: &bytes, entity) }
                digests += SHA256.digest(of: bytes)
                done += keys.count
                progress.report("reading \(entity.name)", done, of: chunks.count)
            }
            return Entity(
                name: entity.name, count: chunks.count, digest: Self.text(SHA256.digest(of: digests)))
        }
    }

    /// The digest of all entities.
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
