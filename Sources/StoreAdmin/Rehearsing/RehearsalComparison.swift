import ContextCore
import Foundation

/// Compares a store with its migrated copy, object by object and property by property.
struct RehearsalComparison {
    /// The comparison of one entity's objects.
    struct Entity: Sendable {
        let name: String
        /// The name before the migration; nil if the entity is new.
        let olderName: String?
        let before: Int
        let after: Int
        /// The number of objects that only the store has.
        let missing: Int
        /// The number of objects that only the copy has.
        let added: Int
        var properties: [PropertyChange]
    }

    let source: any ReadSession
    let copy: any ReadSession
    let mapping: ModelMapping
    /// The sample of the source that was copied; nil if all of it was copied.
    let sample: StoreSample?
    let progress: (String, Int, Int) throws -> Void

    func entities() throws -> [Entity] {
        var entities = try mapping.new.layouts.filter { !$0.isAbstract }.map(compare)
        for removedEntity in mapping.removed {
            let count = try keys(of: removedEntity).count
            entities.append(
                Entity(
                    name: removedEntity.name, olderName: removedEntity.name, before: count, after: 0,
                    missing: count, added: 0,
                    properties: []))
        }
        return entities
    }

    private func keys(of older: EntityLayout) throws -> [Int64] {
        try sample?.keys(of: older) ?? KeyChunks(older, source).all
    }

    private func compare(_ entity: EntityLayout) throws -> Entity {
        let origin = mapping.origin(of: entity)
        let before = try origin.map(keys) ?? []
        let after = try KeyChunks(entity, copy).all
        let known = Set(before)
        let common = after.filter(known.contains)
        var properties = entity.properties.map { property in
            let older = mapping.origin(of: property, in: entity)
            return (
                property: property, older: older,
                change: PropertyChange(
                    path: "\(entity.name).\(property.name)",
                    olderPath: older.flatMap { older in origin.map { "\($0.name).\(older.name)" } },
                    isRelationship: property.relationship != nil)
            )
        }
        for part in common.chunks(ofCount: KeyChunks.defaultSize) {
            let newer = try contents(of: Array(part), entity, copy)
            let older = try origin.map { try contents(of: Array(part), $0, source) }
            for index in properties.indices {
                let (property, was) = (properties[index].property, properties[index].older)
                for key in part {
                    properties[index].change.compare(
                        "\(entity.name):\(key)", was.flatMap { older?[key]?[$0.slot] },
                        newer[key]?[property.slot])
                }
            }
            try progress("comparing \(entity.name)", part.endIndex, common.count)
        }
        return Entity(
            name: entity.name, olderName: origin?.name, before: before.count, after: after.count,
            missing: before.count - common.count, added: after.count - common.count,
            properties: properties.map(\.change))
    }

    /// Returns the contents of the objects with the given keys, by key and by property slot.
    private func contents(
        of keys: [Int64], _ entity: EntityLayout, _ session: any ReadSession
    ) throws -> [Int64: [PropertyContent]] {
        var contents: [Int64: [PropertyContent]] = [:]
        try session.forEachBatch(of: keys, entityIndex: entity.index) { _, batch in
            for row in 0..<batch.count {
                contents[batch.key(at: row)] = entity.properties.map { property in
                    let values = property.columns.map { batch.value($0, at: row) }
                    if let relationship = property.relationship {
                        guard !relationship.description.isToMany, case .int(let key)? = values.first else {
                            return .targets([])
                        }
                        return .targets([key])
                    }
                    return .value(values.count == 1 ? values[0] : .composite(values))
                }
            }
        }
        for property in entity.properties {
            guard let description = property.relationship?.description, description.isToMany else { continue }
            let plan = RelatedPlan(
                entityIndex: entity.index, slot: property.slot, owners: keys, includesRows: false)
            for (owner, links) in Dictionary(grouping: try session.related(plan).links, by: \.owner) {
                let targets = links.map(\.target)
                contents[owner]?[property.slot] = .targets(description.isOrdered ? targets : targets.sorted())
            }
        }
        return contents
    }
}

/// The value of an object's attribute, or the keys that its relationship points to.
enum PropertyContent: Equatable {
    case value(StoredValue)
    case targets([Int64])

    /// The number of characters at which a string is truncated in reports.
    static let maximumTextLength = 200

    var text: String {
        switch self {
        case .value(.string(let text)):
            JSONValue.string(
                text.count > Self.maximumTextLength ? text.prefix(Self.maximumTextLength) + "…" : text
            ).text
        case .value(let value): ValueText.text(value)
        case .targets(let keys):
            keys.isEmpty
                ? "none"
                : keys.prefix(10).map(String.init).joined(separator: ", ") + (keys.count > 10 ? ", …" : "")
        }
    }
}

extension PropertyChange {
    fileprivate mutating func compare(_ object: String, _ older: PropertyContent?, _ newer: PropertyContent?)
    {
        switch older {
        case .value(let value)?: before.add(value)
        case .targets(let keys)?: before.add(targets: keys)
        case nil: break
        }
        switch newer {
        case .value(let value)?: after.add(value)
        case .targets(let keys)?: after.add(targets: keys)
        case nil: break
        }
        guard let older, let newer, !older.isEquivalent(to: newer) else { return }
        recordDifference(object, older.text, newer.text)
    }
}

extension PropertyContent {
    /// Whether the content equals the newer one, regardless of the type of a number.
    ///
    /// A reference that became a to-many relationship is equal if it has the same target.
    fileprivate func isEquivalent(to newer: PropertyContent) -> Bool {
        switch (self, newer) {
        case (.value(let old), .value(let new)): old == new || old.isSameNumber(as: new)
        case (.targets(let old), .targets(let new)):
            old == new || (old.sorted() == new.sorted() && old.count < 2)
        default: false
        }
    }
}

extension StoredValue {
    /// Whether the value and a number of another type are equal.
    fileprivate func isSameNumber(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let number), .double(let double)), (.double(let double), .int(let number)):
            Double(number) == double
        case (.int(let number), .decimal(let decimal)), (.decimal(let decimal), .int(let number)):
            decimal == Decimal(number)
        default: false
        }
    }
}
