/// The type of an attribute in a store.
///
/// The Swift type of a property is an ``AttributeValue``, which determines the type in the store.
public indirect enum AttributeType: Sendable, Hashable {
    /// True or false.
    case bool
    /// A 16-bit integer.
    case int16
    /// A 32-bit integer.
    case int32
    /// A 64-bit integer, the type of `Int`.
    case int64
    /// A 32-bit floating-point number.
    case float
    /// A 64-bit floating-point number.
    case double
    /// An exact decimal number with a total number of digits, and how many of them are fractional.
    case decimal(precision: Int, scale: Int)
    /// Text, stored unchanged and compared by its UTF-8 bytes.
    case string
    /// Bytes.
    case data
    /// A date and time with microsecond precision.
    case date
    /// A UUID.
    case uuid
    /// A URL, stored as its text.
    case url
    /// A `Codable` value, stored as JSON.
    case codable
    /// A struct with one column per part.
    case composite([AttributeDescription])
}
