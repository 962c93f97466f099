import ContextCore

/// Compares two stores with the same model, object by object and property by property.
struct StoreComparison {
    /// A property or an object that differs.
    struct Difference: Sendable, Equatable {
        let object: String
        /// The property; nil if one store doesn't have the object.
        let property: String?
        let first: String
        let second: String
    }

    let first: any ReadSession
    let second: any ReadSession
    let model: ObjectModel
    /// The number of differences at which the comparison stops.
    let limit: Int
    /// Whether a difference between links lists all keys that only one store has.
    var namesAllLinks = false
    /// Reports progress, and throws to stop the comparison.
    private let progress: (String, Int, Int) throws -> Void
    private(set) var differences: [Difference] = []
    /// The number of compared objects.
    private(set) var count = 0

    init(
        first: any ReadSession, second: any ReadSession, model: ObjectModel, limit: Int,
        progress: @escaping (String, Int, Int) throws -> Void
    ) {
        self.first = first
        self.second = second
        self.model = model
        self.limit = limit
        self.progress = progress
    }

    mutating func compare(_ entities: [EntityLayout]) throws {
        for entity in entities {
            if entity.isAbstract || differences.count >= limit { continue }
            try compare(entity)
        }
    }

    private mutating func compare(_ entity: EntityLayout) throws {
        let keys = try keys(of: entity)
        for chunk in keys.chunks(ofCount: KeyChunks.defaultSize) {
            if differences.count >= limit { return }
            let part = Array(chunk)
            let left = try ObjectRecordReader(session: first, model: model).records(part, of: entity)
            let right = try ObjectRecordReader(session: second, model: model).records(part, of: entity)
            if left != right { recordDifferences(part, left, right, entity) }
            count += part.count
            try progress("comparing \(entity.name)", chunk.endIndex, keys.count)
        }
    }

    /// Returns the keys that at least one of the stores has, avoiding a set union in the common case that they are equal.
    private func keys(of entity: EntityLayout) throws -> [Int64] {
        let left = try KeyChunks(entity, first).all
        let right = try KeyChunks(entity, second).all
        return left == right ? left : Set(left).union(right).sorted()
    }

    private mutating func recordDifferences(
        _ keys: [Int64], _ left: [ObjectRecord], _ right: [ObjectRecord], _ entity: EntityLayout
    ) {
        func byKey(_ records: [ObjectRecord]) -> [Int64: ObjectRecord] {
            Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (left, right) = (byKey(left), byKey(right))
        for key in keys where left[key] != right[key] {
            recordDifference(key, left[key], right[key], entity)
        }
    }

    private mutating func recordDifference(
        _ key: Int64, _ left: ObjectRecord?, _ right: ObjectRecord?, _ entity: EntityLayout
    ) {
        let object = "\(entity.name):\(key)"
        guard let left, let right else {
            return add(
                Difference(
                    object: object, property: nil, first: left == nil ? "missing" : "present",
                    second: right == nil ? "missing" : "present"))
        }
        for (column, layout) in entity.columns.enumerated() where left.values[column] != right.values[column]
        {
            add(
                Difference(
                    object: object, property: layout.name, first: Self.quoted(left.values[column]),
                    second: Self.quoted(right.values[column])))
        }
        for property in entity.storedCollections(in: model) {
            let (own, other) = (left.targets(of: property.slot), right.targets(of: property.slot))
            if own == other { continue }
            let maxKeys = namesAllLinks ? Int.max : Self.maximumListedKeys
            add(
                Difference(
                    object: object, property: property.name,
                    first: Self.summary(of: own, besides: other, naming: maxKeys),
                    second: Self.summary(of: other, besides: own, naming: maxKeys)))
        }
    }

    private mutating func add(_ difference: Difference) {
        if differences.count < limit { differences.append(difference) }
    }

    /// The maximum number of keys that a difference lists for each store.
    private static let maximumListedKeys = 10

    /// Describes the links of one store: all of them if they are few, otherwise their number and those that the other store lacks.
    ///
    /// - Parameter maxKeys: The maximum number of keys to list.
    static func summary(
        of links: [Int64], besides others: [Int64], naming maxKeys: Int = maximumListedKeys
    ) -> String {
        if links.count <= maximumListedKeys { return "\(links)" }
        let known = Set(others)
        let missing = links.filter { !known.contains($0) }
        let more = missing.count > maxKeys ? ", …" : ""
        let list = missing.prefix(maxKeys).map(String.init).joined(separator: ", ")
        let rest =
            missing.isEmpty
            ? (Set(links) == known ? ", in another order" : "") : ", only here: \(list)\(more)"
        return "\(links.count) links\(rest)"
    }

    /// Returns the text of a value, with strings in quotes so that spaces at their ends are visible.
    private static func quoted(_ value: StoredValue) -> String {
        if case .string(let text) = value { JSONValue.string(text).text } else { ValueText.text(value) }
    }
}

extension ObjectRecord {
    fileprivate func targets(of slot: Int) -> [Int64] { links.first { $0.slot == slot }?.targets ?? [] }
}
