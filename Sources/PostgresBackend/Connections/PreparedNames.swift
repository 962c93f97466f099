#if Postgres
import CPostgres
import ContextCore

/// The names of a connection's prepared statements: a bounded number, the oldest forgotten first.
struct PreparedNames {
    /// A text, and the types of its values: bytes of one type would be read as another's.
    struct Shape: PlainlyHashed {
        let sql: String
        let types: [Oid]

        // There are few texts of one length, and to mix all of their bytes takes longer than to compare them.
        var hashBits: UInt { UInt(bitPattern: sql.utf8.count &* 64 &+ types.count) }

        // Texts may be equal to Swift that are spelt with other bytes, and so have another hash.
        static func == (left: Shape, right: Shape) -> Bool {
            left.sql.utf8.count == right.sql.utf8.count && left.sql == right.sql && left.types == right.types
        }
    }

    private static let capacity = 256

    private var names: [Shape: String] = [:]
    private var order: [Shape] = []
    private var next = 0

    subscript(shape: Shape) -> String? { names[shape] }

    /// Gives a statement a name; answers too the name of the one that has to go for it.
    mutating func add(_ shape: Shape) -> (name: String, forgotten: String?) {
        var forgotten: String?
        if order.count >= Self.capacity { forgotten = names.removeValue(forKey: order.removeFirst()) }
        next += 1
        let name = "s\(next)"
        names[shape] = name
        order.append(shape)
        return (name, forgotten)
    }

    /// Forgets all; names are not given again.
    mutating func forgetAll() {
        names = [:]
        order = []
    }

    mutating func forget(_ shape: Shape) {
        names[shape] = nil
        order.removeAll { $0 == shape }
    }
}
#endif
