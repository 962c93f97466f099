import ContextCore
import Foundation

/// The contents of an object, independent of the store.
struct ObjectRecord: Sendable, Equatable {
    /// The keys of a to-many relationship that is stored at this end.
    struct Links: Sendable, Equatable {
        let slot: Int
        /// The keys in the relationship's order, or in ascending order if it is unordered.
        let targets: [Int64]
    }

    let entityIndex: Int
    let key: Int64
    /// The values, by column.
    let values: [StoredValue]
    let links: [Links]
}

extension EntityLayout {
    /// Returns the to-many relationships whose links or order are stored at this end.
    func storedCollections(in model: ObjectModel) -> [PropertyLayout] {
        properties.filter { property in
            guard let relationship = property.relationship, relationship.description.isToMany else {
                return false
            }
            return relationship.description.isOrdered
                || relationship.isManyToMany && relationship.isLinkOwner(in: model, slot: property.slot)
        }
    }
}

/// Reads the contents of objects from a session.
struct ObjectRecordReader {
    let session: any ReadSession
    let model: ObjectModel

    /// Returns the records of an entity's own objects with the given keys, in ascending order of the keys.
    func records(_ keys: [Int64], of entity: EntityLayout) throws -> [ObjectRecord] {
        var links: [Int64: [ObjectRecord.Links]] = [:]
        for property in entity.storedCollections(in: model) {
            let plan = RelatedPlan(
                entityIndex: entity.index, slot: property.slot, owners: keys, includesRows: false)
            let isOrdered = property.relationship?.description.isOrdered == true
            for (owner, own) in Dictionary(grouping: try session.related(plan).links, by: \.owner) {
                let targets = own.map(\.target)
                links[owner, default: []].append(
                    ObjectRecord.Links(slot: property.slot, targets: isOrdered ? targets : targets.sorted()))
            }
        }
        var records: [ObjectRecord] = []
        try session.forEachBatch(of: keys, entityIndex: entity.index) { _, batch in
            for row in 0..<batch.count where batch.entityIndex(at: row) == entity.index {
                let key = batch.key(at: row)
                let values = entity.columns.indices.map { column in
                    CanonicalJSON.value(batch.value(column, at: row), entity.columns[column].kind)
                }
                records.append(
                    ObjectRecord(
                        entityIndex: entity.index, key: key, values: values, links: links[key] ?? []))
            }
        }
        return records.sorted { $0.key < $1.key }
    }
}

extension ObjectRecord {
    /// Appends an encoding of the record that is the same for equal contents on every backend.
    ///
    /// The encoding doesn't contain the version, which only counts saves.
    func appendBytes(to bytes: inout [UInt8], _ entity: EntityLayout) {
        bytes.append(bigEndian: UInt64(bitPattern: key))
        let order = entity.columns.indices.sorted { entity.columns[$0].name < entity.columns[$1].name }
        for column in order {
            bytes.append(text: entity.columns[column].name)
            values[column].appendBytes(to: &bytes)
        }
        for links in links.sorted(by: { entity.properties[$0.slot].name < entity.properties[$1.slot].name }) {
            bytes.append(text: entity.properties[links.slot].name)
            bytes.append(bigEndian: UInt64(links.targets.count))
            for target in links.targets { bytes.append(bigEndian: UInt64(bitPattern: target)) }
        }
    }
}

extension StoredValue {
    /// Appends a tag for the kind of the value, and the value in its canonical encoding.
    func appendBytes(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(0)
        case .bool(let value): bytes += [1, value ? 1 : 0]
        case .int(let value): bytes.append(kind: 2, UInt64(bitPattern: value))
        case .double(let value): bytes.append(kind: 3, (value + 0).bitPattern)
        case .decimal(var value):
            NSDecimalCompact(&value)
            bytes.append(4)
            bytes.append(text: value.description)
        case .string(let text):
            bytes.append(5)
            bytes.append(text: text)
        case .data(let data):
            bytes.append(kind: 6, UInt64(data.count))
            bytes += data
        case .timestamp(let microseconds): bytes.append(kind: 7, UInt64(bitPattern: microseconds))
        case .uuid(let uuid):
            bytes.append(8)
            withUnsafeBytes(of: uuid.uuid) { bytes += $0 }
        case .composite(let parts): for part in parts { part.appendBytes(to: &bytes) }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    fileprivate mutating func append(kind: UInt8, _ number: UInt64) {
        append(kind)
        append(bigEndian: number)
    }

    /// Appends the length of a text and the text, so that the encoding of several texts is unambiguous.
    fileprivate mutating func append(text: String) {
        append(bigEndian: UInt64(text.utf8.count))
        self += text.utf8
    }
}
