/// The names that a model file uses.
enum ModelFileNames {
    /// The format that this version of the library writes, and the newest that it reads.
    static let format = 1

    /// The types without parameters, by their names in a file.
    static let types: [String: AttributeType] = [
        "bool": .bool, "int16": .int16, "int32": .int32, "int64": .int64, "float": .float, "double": .double,
        "string": .string, "data": .data, "date": .date, "uuid": .uuid, "url": .url, "codable": .codable,
    ]

    static func name(of type: AttributeType) -> String {
        switch type {
        case .decimal: "decimal"
        case .composite: "composite"
        default: types.first { $0.value == type }?.key ?? ""
        }
    }
}
