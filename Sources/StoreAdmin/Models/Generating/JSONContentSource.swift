/// The Swift source of the type of attributes that are stored as JSON, for the app's own types.
enum JSONContentSource {
    static let text = """
        /// A JSON value.
        ///
        /// The model doesn't contain the types of attributes that are stored as JSON: replace this type by `Codable` ones of your own.
        enum \(GeneratedTypes.json): Codable, Hashable, Sendable {
            case null
            case bool(Bool)
            case integer(Int)
            case number(Double)
            case string(String)
            case array([\(GeneratedTypes.json)])
            case object([String: \(GeneratedTypes.json)])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Int.self) {
                    self = .integer(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .number(value)
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let values = try? container.decode([\(GeneratedTypes.json)].self) {
                    self = .array(values)
                } else {
                    self = .object(try container.decode([String: \(GeneratedTypes.json)].self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .bool(let value): try container.encode(value)
                case .integer(let value): try container.encode(value)
                case .number(let value): try container.encode(value)
                case .string(let value): try container.encode(value)
                case .array(let values): try container.encode(values)
                case .object(let members): try container.encode(members)
                }
            }
        }

        """
}
