import Foundation

/// A constant converted to the type of the column that it is compared with.
///
/// A constant that the column can't represent lies between two values that it can represent, or beyond all of them. So
/// `score > 10.5` becomes `score >= 11`, and stores never compare across types.
enum ConvertedConstant {
    /// The column can represent the constant exactly.
    case exact(StoredValue)
    /// The constant lies strictly between two adjacent values of the column.
    case between(StoredValue, StoredValue)
    /// The constant is greater than the column's greatest value, which is given.
    case above(StoredValue)
    /// The constant is less than the column's least value, which is given.
    case below(StoredValue)

    /// Converts a constant to a type; nil if the types can't be compared.
    ///
    /// - Parameter attribute: The attribute's type, which may be narrower than `type`.
    init?(_ value: StoredValue, to type: ResolvedType, attribute: AttributeType?) {
        switch type {
        case .integer: self.init(integer: value)
        case .double: self.init(double: value, isNarrow: attribute == .float)
        case .decimal: self.init(decimal: value, attribute: attribute)
        case .bool: self.init(bool: value)
        case .date: self.init(date: value)
        case .uuid: self.init(uuid: value)
        case .string, .data, .object, .null:
            guard ResolvedType(value) == type else { return nil }
            self = .exact(value)
        }
    }

    /// The converted value if the conversion is exact.
    var exact: StoredValue? {
        if case .exact(let value) = self { value } else { nil }
    }
}

// MARK: - Numbers

extension ConvertedConstant {
    private init?(integer value: StoredValue) {
        switch value {
        case .int: self = .exact(value)
        case .double(let number): self.init(integer: number)
        case .decimal(let number):
            let floor = number.rounded(.down)
            guard let below = Self.integer(floor) else {
                self = number > 0 ? .above(.int(.max)) : .below(.int(.min))
                return
            }
            if floor == number {
                self = .exact(.int(below))
            } else {
                self = below == .max ? .above(.int(.max)) : .between(.int(below), .int(below + 1))
            }
        default: return nil
        }
    }

    private init(integer number: Double) {
        if number >= 0x1p63 {
            self = .above(.int(.max))
        } else if number < -0x1p63 {
            self = .below(.int(.min))
        } else {
            let floor = Int64(number.rounded(.down))
            let isWhole = number.rounded(.down) == number
            self = isWhole ? .exact(.int(floor)) : .between(.int(floor), .int(floor + 1))
        }
    }

    /// Converts an integral decimal number to a 64-bit integer; nil if it is out of range.
    private static func integer(_ number: Decimal) -> Int64? {
        guard number <= Decimal(Int64.max), number >= Decimal(Int64.min) else { return nil }
        return Int64(number.description)
    }

    private init?(double value: StoredValue, isNarrow: Bool) {
        let number: Double
        switch value {
        case .double(let double): number = double
        case .int(let integer):
            number = Double(integer)
            // Constants for a Float column are rounded to Float below, as its values are.
            let order = ValueOrder.compare(integer, number)
            if order != 0, !isNarrow {
                self =
                    order < 0
                    ? .between(.double(number.nextDown), .double(number))
                    : .between(.double(number), .double(number.nextUp))
                return
            }
        case .decimal(let decimal):
            guard let double = Double(decimal.description) else { return nil }
            number = double
        default: return nil
        }
        self = .exact(.double(isNarrow ? Double(Float(number)) : number))
    }

    private init?(decimal value: StoredValue, attribute: AttributeType?) {
        let number: Decimal
        switch value {
        case .decimal(let decimal): number = decimal
        case .int(let integer): number = Decimal(integer)
        // The shortest description of 1.1 is what the caller wrote; the double's exact digits differ.
        case .double(let double):
            guard double.isFinite, let decimal = Decimal(string: "\(double)") else { return nil }
            number = decimal
        case .string(let text):
            guard let decimal = PredicateConstant.decimal(text) else { return nil }
            number = decimal
        default: return nil
        }
        guard case .decimal(_, let scale)? = attribute else {
            self = .exact(.decimal(number))
            return
        }
        let floor = number.rounded(.down, scale: scale)
        let ceiling = number.rounded(.up, scale: scale)
        self = floor == ceiling ? .exact(.decimal(floor)) : .between(.decimal(floor), .decimal(ceiling))
    }
}

// MARK: - Others

extension ConvertedConstant {
    private init?(bool value: StoredValue) {
        switch value {
        case .bool: self = .exact(value)
        case .int(0): self = .exact(.bool(false))
        case .int(1): self = .exact(.bool(true))
        default: return nil
        }
    }

    private init?(date value: StoredValue) {
        switch value {
        case .timestamp: self = .exact(value)
        case .string(let text):
            guard let microseconds = CivilTime.microseconds(of: text) else { return nil }
            self = .exact(.timestamp(microseconds: microseconds))
        default: return nil
        }
    }

    private init?(uuid value: StoredValue) {
        switch value {
        case .uuid: self = .exact(value)
        case .string(let text):
            guard let uuid = UUID(uuidString: text) else { return nil }
            self = .exact(.uuid(uuid))
        default: return nil
        }
    }
}
