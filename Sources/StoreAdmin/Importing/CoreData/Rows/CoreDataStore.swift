import ContextCore
import Foundation

/// An open store of Core Data or SwiftData: its rows, its metadata and the files beside it.
///
/// It changes no file.
final class CoreDataStore {
    /// The maximum size of a decompressed model.
    private static let maxModelSize = 64 * 1024 * 1024

    let path: String
    let reader: any ForeignRowReader
    let schema: CoreDataSchema
    let storeID: UUID
    /// The hash of each entity's description, by which Core Data recognizes a version of the model.
    let versionHashes: [String: Data]

    /// Whether a reader's database is a store of Core Data, even a damaged one.
    static func isStore(_ reader: any ForeignRowReader) throws -> Bool {
        let names = "SELECT 1 FROM sqlite_schema WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY') LIMIT 1"
        let found = try reader.rows(names)
        return !found.isEmpty
    }

    init(_ path: String, _ reader: any ForeignRowReader) throws {
        self.path = path
        self.reader = reader
        schema = try CoreDataSchema(reader, path)
        let metadata = try reader.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1").first
        guard case .string(let text)? = metadata?.first, let storeID = UUID(uuidString: text) else {
            throw AdminError.badData("\(path): the store has no identity in Z_METADATA.")
        }
        self.storeID = storeID
        versionHashes = Self.hashes(in: metadata?.last)
    }

    private static func hashes(in value: StoredValue?) -> [String: Data] {
        guard case .data(let data)? = value, let list = try? PropertyListValue(reading: data) else {
            return [:]
        }
        return (list.dictionary?["NSStoreModelVersionHashes"]?.dictionary ?? [:]).compactMapValues(\.data)
    }

    /// Returns the model that the store caches in itself.
    func cachedModel() throws -> CoreDataModel {
        let hint = "Name the model with --coredata: an .xcdatamodeld, a .momd or a .mom."
        guard schema.tables["Z_MODELCACHE"] != nil,
            case .data(let content)? = try reader.rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1").first?
                .first
        else { throw AdminError.badData("\(path): the store contains no model.", hint: hint) }
        do throws(FormatError) {
            let isCompressed = !BinaryPropertyList.isBinary(content)
            let archive =
                isCompressed ? Data(try Inflate.decompressed(content, limit: Self.maxModelSize)) : content
            return try ModelArchiveReader.model(KeyedArchive(reading: archive))
        } catch {
            throw error.naming("the model in \(path)", hint: hint)
        }
    }

    /// The folder of large values that Core Data keeps in files.
    private var externalFolder: String {
        let file = URL(fileURLWithPath: path)
        let name = ".\(file.deletingPathExtension().lastPathComponent)_SUPPORT"
        return file.deletingLastPathComponent().appendingPathComponent(name).appendingPathComponent(
            "_EXTERNAL_DATA"
        ).path
    }

    var values: CoreDataValues {
        let folder = externalFolder
        return CoreDataValues { name in FileManager.default.contents(atPath: folder + "/" + name) }
    }

    /// Whether the store has a persistent history, which isn't imported.
    func hasHistory() throws -> Bool {
        let table = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'ATRANSACTION'"
        guard try reader.rows(table).first?.first?.integer == 1 else { return false }
        return try reader.rows("SELECT count(*) FROM ATRANSACTION").first?.first?.integer ?? 0 > 0
    }

    func close() { reader.close() }
}
