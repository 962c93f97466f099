/// Names the closed list of types that an attribute can have in a store.
///
/// The Swift type of a property is an ``AttributeValue``; this is what it becomes where rows are kept.
public indirect enum AttributeType: Sendable, Hashable {
    /// True or false.
    case bool
    /// A 16-bit integer.
    case int16
    /// A 32-bit integer.
    case int32
    /// A 64-bit integer; what `Int` is.
    case int64
    /// A 32-bit floating-point number.
    case float
    /// A 64-bit floating-point number.
    case double
    /// An exact decimal number with so many digits in all, so many of them behind the point.
    case decimal(precision: Int, scale: Int)
    /// Text, stored as given and compared by its UTF-8 bytes.
    case string
    /// Bytes.
    case data
    /// A moment, to the microsecond.
    case date
    /// A UUID.
    case uuid
    /// A URL, stored as its text.
    case url
    /// A `Codable` value, stored as JSON.
    case codable
    /// A struct whose attributes become columns of their own.
    case composite([AttributeDescription])
}
