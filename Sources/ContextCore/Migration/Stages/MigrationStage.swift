/// A Swift closure that converts the objects of one entity, in batches, during the migration to a version.
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
/// The objects are values with named properties, not instances of a program's classes, so that a stage keeps its meaning in later versions
/// of the program. Each batch is one transaction, which records its position: a migration that was killed resumes after the last finished
/// batch and doesn't convert an object twice. No other process can write to the store during a batch, so batch sizes are adapted to take
/// about 250 ms, and a batch ends with the object at which 500 ms have passed. From the first batch to the last, programs that open the
/// store get ``StoreError/Code/migrationUnfinished``.
public struct MigrationStage: Sendable {
    /// The name of the entity in the newer model.
    public let entityName: String
    /// The attributes and relationships of the newer model that the stage fills.
    public let properties: [String]
    /// The relationships of the older model that the stage reads.
    public let relationships: [String]
    /// The maximum number of objects in a batch.
    public let batchSize: Int
    package let transform: @Sendable (inout MigratingObject) throws -> Void

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity in the newer model; the stage also converts objects of entities that inherit from it.
    ///   - properties: The attributes and relationships to fill, by their newer names; of a relationship and its inverse, only one.
    ///   - relationships: The relationships that ``MigratingObject/related(_:)`` returns, by their older names. Their objects are
    ///     read for a whole batch at once.
    ///   - batchSize: The maximum number of objects in a batch; batches are smaller if objects take long or have very many related objects.
    ///   - transform: Fills one object. If it throws, the migration is rolled back; a `CancellationError` only stops it, so that it can
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

    /// The properties that it fills, with their entity: `Team.roster`.
    package var paths: [String] { properties.map { "\(entityName).\($0)" } }
}
