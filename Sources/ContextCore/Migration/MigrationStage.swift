/// What Swift does to the objects of one entity on the way to a version, in batches.
///
/// ```swift
/// MigrationStage("Team", filling: ["roster", "captain", "reserves"], reading: ["players"]) { team in
///     let players = try team.related("players")
///     team["roster"] = .string(players.map { $0.text("name") }.joined(separator: ", "))
///     team[keys: "captain"] = players.prefix(1).map(\.key)
///     team[keys: "reserves"] = players.dropFirst(11).map(\.key)
/// }
/// ```
///
/// The objects are plain values with names, never a program's classes, so that a stage means the same in all later versions of the
/// program. Each batch is one transaction, with the place where it ended: after a kill the next one goes on there, and no object of
/// a batch that is done is seen again. While a batch is under way nobody else writes to the store, so it ends after the object during
/// which half a second has passed, and the next one is as large as can be done in less. From the first batch to the last, programs get
/// ``StoreError/Code/migrationUnfinished``.
public struct MigrationStage: Sendable {
    /// The entity, by its name in the newer model.
    public let entityName: String
    /// The attributes and relationships that it fills, of the newer model.
    public let properties: [String]
    /// The relationships whose objects it looks at, of the older model.
    public let relationships: [String]
    /// How many objects at a time, at most.
    public let batchSize: Int
    package let transform: @Sendable (inout MigratingObject) throws -> Void

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - entityName: The entity, by its name in the newer model; objects of entities that inherit from it are meant too.
    ///   - properties: The attributes and relationships that it fills, by their newer names; of a relationship and its inverse, one.
    ///   - relationships: The relationships that ``MigratingObject/related(_:)`` is asked about, by their older names. What they lead to
    ///     is read for a batch at once.
    ///   - batchSize: How many objects at a time, at most; fewer where they take long, or are related to very many.
    ///   - transform: Fills one object. Where it throws, the migration is taken back; a `CancellationError` only stops it, and it can
    ///     be resumed.
    public init(
        _ entityName: String, filling properties: [String], reading relationships: [String] = [],
        batchSize: Int = 1000, transform: @escaping @Sendable (inout MigratingObject) throws -> Void
    ) {
        self.entityName = entityName
        self.properties = properties
        self.relationships = relationships
        self.batchSize = max(1, batchSize)
        self.transform = transform
    }

    /// What it fills: `Team.roster`.
    package var paths: [String] { properties.map { "\(entityName).\($0)" } }
}
