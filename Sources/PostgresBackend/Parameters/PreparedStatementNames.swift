#if Postgres
import CPostgres
import ContextCore

/// The names of a connection's prepared statements: at most 256, of which the oldest is evicted first.
struct PreparedStatementNames {
    /// The text of a statement with the types of its parameters, which the server fixes when it prepares the statement.
    struct Shape: FastHashable {
        let sql: String
        let types: [Oid]

        // Few texts have the same length, so hashing all bytes would take longer than comparing the texts with the same hash.
        var hashBits: UInt { UInt(bitPattern: sql.utf8.count &* 64 &+ types.count) }

        // Strings can be canonically equivalent with different lengths, and so with different hashes.
        static func == (left: Shape, right: Shape) -> Bool {
            left.sql.utf8.count == right.sql.utf8.count && left.sql == right.sql && left.types == right.types
        }
    }

    private static let capacity = 256

    private var names: [Shape: String] = [:]
    private var order: [Shape] = []
    private var next = 0
    /// The names of evicted statements that the server has yet to deallocate.
    private var scheduledDeallocations: [String] = []

    private var counts = DatabaseStatistics.Cache()

    /// Returns the name of a prepared statement; nil if it isn't prepared.
    mutating func name(of shape: Shape) -> String? {
        guard let name = names[shape] else { return nil }
        counts.hits += 1
        return name
    }

    /// Adds a statement, and returns its name and the name of the evicted one, if any.
    mutating func add(_ shape: Shape) -> (name: String, evicted: String?) {
        var evicted: String?
        counts.misses += 1
        if order.count >= Self.capacity { evicted = names.removeValue(forKey: order.removeFirst()) }
        next += 1
        let name = "s\(next)"
        names[shape] = name
        order.append(shape)
        return (name, evicted)
    }

    /// Removes all statements, and the scheduled deallocations; their names aren't reused.
    mutating func removeAll() {
        names = [:]
        order = []
        scheduledDeallocations = []
    }

    mutating func remove(_ shape: Shape) {
        names[shape] = nil
        order.removeAll { $0 == shape }
    }

    /// Removes and returns the number of lookups since the last call.
    mutating func removeCounts() -> DatabaseStatistics.Cache {
        defer { counts = DatabaseStatistics.Cache() }
        return counts
    }

    /// Schedules the deallocation of evicted statements with the next pipeline.
    mutating func scheduleDeallocation(of names: [String]) { scheduledDeallocations += names }

    /// Removes and returns the names of the statements to deallocate.
    mutating func removeScheduledDeallocations() -> [String] {
        defer { scheduledDeallocations = [] }
        return scheduledDeallocations
    }
}
#endif
