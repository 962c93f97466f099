import Foundation

/// A value of a property list, binary or XML.
indirect enum PropertyListValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case real(Double)
    /// A date, in seconds since the beginning of 2001 in UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference to an object of a keyed archive, which only binary property lists contain.
    case reference(Int)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// Reads a property list in its binary or its XML form.
    init(reading data: Data) throws(FormatError) {
        if BinaryPropertyList.isBinary(data) {
            self = try BinaryPropertyList.value(of: data)
        } else {
            self = try XMLPropertyList.value(of: data)
        }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }

    var int: Int? { if case .int(let number) = self { Int(number) } else { nil } }

    var array: [PropertyListValue]? { if case .array(let values) = self { values } else { nil } }

    var dictionary: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    var data: Data? { if case .data(let data) = self { data } else { nil } }
}
