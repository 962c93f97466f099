/// What Swift does to the objects of one entity on the way to a version, in batches.
///
/// ```swift
/// MigrationStage("Person", filling: ["fullName"]) { person in
///     person["fullName"] = .string("\(person.text("first")) \(person.text("last"))")
/// }
/// ```
///
/// The objects are plain values with names, never a program's classes, so that a stage means the same in all later versions of the
/// program. Each batch is one transaction, with the place where it ended: after a kill the next one goes on there, and no object of
/// a batch that is done is seen again. While a batch is under way nobody else writes to the store, so it ends after the object during
/// which half a second has passed. From the first batch to the last, programs get ``StoreError/Code/migrationUnfinished``.
public struct MigrationStage: Sendable {
    /// The entity, by its name in the newer model.
    public let entityName: String
    /// The attributes that it gives values, of the newer model.
    public let attributes: [String]
    /// How many objects at a time, at most.
    public let batchSize: Int
    package let transform: @Sendable (inout MigratingObject) throws -> Void

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - entityName: The entity, by its name in the newer model; objects of entities that inherit from it are meant too.
    ///   - attributes: The attributes that it gives values.
    ///   - batchSize: How many objects at a time; fewer where half a second passes during one of them, which is the last.
    ///   - transform: Gives one object its new values. Where it throws, the migration is taken back; a `CancellationError` only
    ///     stops it, and it can be resumed.
    public init(
        _ entityName: String, filling attributes: [String], batchSize: Int = 1000,
        transform: @escaping @Sendable (inout MigratingObject) throws -> Void
    ) {
        self.entityName = entityName
        self.attributes = attributes
        self.batchSize = max(1, batchSize)
        self.transform = transform
    }

    /// What it fills: `Person.fullName`.
    var paths: [String] { attributes.map { "\(entityName).\($0)" } }
}

/// An object on its way from an older version to a newer one: what it was, and what it becomes.
public struct MigratingObject: Sendable {
    /// The key of its identifier.
    public let key: Int64
    /// Its entity in the older model.
    public let entityName: String
    /// What it was: attributes and the keys of to-one relationships, by their older names.
    public let old: [String: StoredValue]
    /// What it becomes: the attributes that were given a value, by their newer names.
    public private(set) var new: [String: StoredValue] = [:]

    package init(key: Int64, entityName: String, old: [String: StoredValue]) {
        self.key = key
        self.entityName = entityName
        self.old = old
    }

    /// What an attribute becomes; before it was given a value, what the attribute of that name was.
    public subscript(name: String) -> StoredValue {
        get { new[name] ?? old[name] ?? .null }
        set { new[name] = newValue }
    }

    /// The text that an attribute was; empty where it was none.
    public func text(_ name: String) -> String {
        if case .string(let text)? = old[name] { text } else { "" }
    }
}
