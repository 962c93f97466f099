import ContextCore

/// A placeholder for a constant whose value is not part of the request's shape.
///
/// It is encoded as a composite value, because constants are never composites.
enum ConstantPlaceholder: Hashable, Sendable {
    /// One value, by its index among the request's constants.
    case value(Int)
    /// The first text after all texts that begin with one of the request's constants.
    case end(Int)
    /// Many values that are bound as one parameter.
    case list(Int)

    /// The placeholder as a constant of a request.
    var stored: StoredValue {
        switch self {
        case .value(let place): .composite([.int(Int64(place))])
        case .end(let place): .composite([.int(Int64(place)), .string("end")])
        case .list(let place): .composite([.int(Int64(place)), .string("list")])
        }
    }

    /// Decodes a placeholder, or returns nil for other values.
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
