import ContextCore
import Foundation

extension ByteWriter {
    /// Writes a tag for the type and the value.
    mutating func write(_ value: StoredValue) {
        switch value {
        case .null: write(0)
        case .bool(let value): write(value ? 2 : 1)
        case .int(let value):
            write(3)
            write(signed: value)
        case .double(let value):
            write(4)
            write(number: value.bitPattern)
        case .decimal(let value):
            write(5)
            write(value.description)
        case .string(let value):
            write(6)
            write(value)
        case .data(let value):
            write(7)
            write(value)
        case .timestamp(let microseconds):
            write(8)
            write(signed: microseconds)
        case .uuid(let value):
            write(9)
            write(value.uuidString)
        case .composite(let values):
            write(10)
            write(number: UInt64(values.count))
            for value in values { write(value) }
        }
    }
}

extension ByteReader {
    /// Reads a value.
    mutating func value() -> StoredValue? {
        guard let kind = byte() else { return nil }
        return kind == Self.composite ? compositeValue() : value(of: kind)
    }

    private static let composite: UInt8 = 10

    /// Reads a value that is not a composite.
    private mutating func value(of kind: UInt8) -> StoredValue? {
        switch kind {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return signed().map { .int($0) }
        case 4: return number().map { .double(Double(bitPattern: $0)) }
        case 5: return text().flatMap { Decimal(string: $0) }.map { .decimal($0) }
        case 6: return text().map { .string($0) }
        case 7: return data().map { .data(Data($0)) }
        case 8: return signed().map { .timestamp(microseconds: $0) }
        case 9: return text().flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
        default: return nil
        }
    }

    /// Reads a composite; composites can't be nested, so the recursion is bounded.
    private mutating func compositeValue() -> StoredValue? {
        guard let count = count() else { return nil }
        var values: [StoredValue] = []
        for _ in 0..<count {
            guard let kind = byte(), let value = value(of: kind) else { return nil }
            values.append(value)
        }
        return .composite(values)
    }
}
