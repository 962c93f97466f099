import ContextCore

/// Stands in a request for a constant whose value is not part of the request's shape.
///
/// It is a composite, because no constant ever is one: a composite never reaches a store whole.
enum ConstantMark: Hashable, Sendable {
    /// One value, by its place among the request's constants.
    case value(Int)
    /// The first text after all those that begin with one of the request's constants.
    case end(Int)
    /// Many values that are bound as one.
    case list(Int)

    /// The mark as a constant of a request.
    var stored: StoredValue {
        switch self {
        case .value(let place): .composite([.int(Int64(place))])
        case .end(let place): .composite([.int(Int64(place)), .string("end")])
        case .list(let place): .composite([.int(Int64(place)), .string("list")])
        }
    }

    /// Reads a mark; nil for a value that is none.
    init?(_ value: StoredValue) {
        guard case .composite(let parts) = value, case .int(let place)? = parts.first else { return nil }
        switch parts.dropFirst().first {
        case nil: self = .value(Int(place))
        case .string("end"): self = .end(Int(place))
        case .string("list"): self = .list(Int(place))
        default: return nil
        }
    }
}
