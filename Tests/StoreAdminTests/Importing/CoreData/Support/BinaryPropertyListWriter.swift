import Foundation

@testable import StoreAdmin

/// Writes binary property lists, with the references of keyed archives.
struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []
    /// The number of bytes of a reference and of an offset.
    private static let size = 4

    static func data(_ root: PropertyListValue) -> Data {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(root)
        return writer.file(top)
    }

    private mutating func add(_ value: PropertyListValue) -> Int {
        let index = objects.count
        objects.append([])
        objects[index] = bytes(of: value)
        return index
    }

    private mutating func bytes(of value: PropertyListValue) -> [UInt8] {
        switch value {
        case .null: return [0x00]
        case .bool(let value): return [value ? 0x09 : 0x08]
        case .int(let number): return [0x13] + Self.bigEndian(UInt64(bitPattern: number), 8)
        case .real(let number): return [0x23] + Self.bigEndian(number.bitPattern, 8)
        case .date(let seconds): return [0x33] + Self.bigEndian(seconds.bitPattern, 8)
        case .data(let data): return Self.head(0x40, data.count) + data
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                return Self.head(0x50, text.utf8.count) + Array(text.utf8)
            }
            return Self.head(0x60, text.utf16.count) + text.utf16.flatMap { Self.bigEndian(UInt64($0), 2) }
        case .reference(let index): return [0x83] + Self.bigEndian(UInt64(index), 4)
        case .array(let elements):
            return Self.head(0xA0, elements.count)
                + elements.flatMap { Self.bigEndian(UInt64(add($0)), Self.size) }
        case .dictionary(let members):
            let names = members.keys.sorted()
            let keys = names.flatMap { Self.bigEndian(UInt64(add(.string($0))), Self.size) }
            let values = names.flatMap { Self.bigEndian(UInt64(add(members[$0] ?? .null)), Self.size) }
            return Self.head(0xD0, names.count) + keys + values
        }
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x12] + bigEndian(UInt64(count), 4)
    }

    static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private func file(_ top: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += Self.bigEndian(UInt64(bytes.count), Self.size)
            bytes += object
        }
        return Data(bytes + offsets + Self.trailer(objects.count, top, bytes.count))
    }

    static func trailer(_ count: Int, _ top: Int, _ table: Int, size: Int = size) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(size), UInt8(size)]
        for number in [count, top, table] { bytes += bigEndian(UInt64(number), 8) }
        return bytes
    }
}
