import Foundation

/// Reads binary property lists, including the references of keyed archives.
///
/// Foundation has a reader too, but its type for the references isn't public. Arbitrary bytes give a value or an error: the reader
/// checks every offset and count, limits the depth, and rejects lists whose objects overlap, which could expand without bound.
struct BinaryPropertyList {
    /// The maximum number of arrays and dictionaries around a value.
    private static let maxDepth = 128
    private static let header = Array("bplist0".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var values: [PropertyListValue?]
    /// The objects that are being read, to find an object that contains itself.
    private var isOpen: [Bool]
    /// The number of bytes that objects may still occupy; objects that don't overlap can't exceed it.
    private var bytesLeft: Int

    /// Whether data begins like a binary property list.
    static func isBinary(_ data: Data) -> Bool { data.starts(with: header) }

    /// Returns the root of a list.
    static func value(of data: Data) throws(FormatError) -> PropertyListValue {
        var (list, top) = try open(data)
        return try list.value(top, depth: 0)
    }

    private static func open(_ data: Data) throws(FormatError) -> (BinaryPropertyList, top: Int) {
        let bytes = [UInt8](data)
        guard bytes.count >= header.count + 1 + trailerSize, bytes.starts(with: header) else {
            throw FormatError("it is not a binary property list")
        }
        let trailer = bytes.count - trailerSize
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        let numbers = (0..<3).map { unsigned(bytes, trailer + 8 + $0 * 8, 8) }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            numbers[0] > 0, numbers[0] <= UInt64(trailer), numbers[1] < numbers[0],
            numbers[2] < UInt64(trailer),
            Int(numbers[0]) * offsetSize <= trailer - Int(numbers[2])
        else { throw FormatError("the property list's trailer is invalid") }
        let table = Int(numbers[2])
        let offsets = (0..<Int(numbers[0])).map {
            Int(clamping: unsigned(bytes, table + $0 * offsetSize, offsetSize))
        }
        if offsets.contains(where: { $0 < header.count + 1 || $0 >= table }) {
            throw FormatError("an offset of the property list is out of range")
        }
        return (BinaryPropertyList(bytes, offsets, referenceSize), Int(numbers[1]))
    }

    private init(_ bytes: [UInt8], _ offsets: [Int], _ referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
        values = Array(repeating: nil, count: offsets.count)
        isOpen = Array(repeating: false, count: offsets.count)
        bytesLeft = bytes.count
    }

    // MARK: Objects

    private mutating func value(_ index: Int, depth: Int) throws(FormatError) -> PropertyListValue {
        guard index < offsets.count else { throw FormatError("an object's number is out of range") }
        if let value = values[index] { return value }
        guard depth < Self.maxDepth, !isOpen[index] else {
            throw FormatError("the property list is nested too deeply")
        }
        isOpen[index] = true
        let value = try read(at: offsets[index], depth: depth)
        isOpen[index] = false
        values[index] = value
        return value
    }

    private mutating func read(at offset: Int, depth: Int) throws(FormatError) -> PropertyListValue {
        let (kind, size) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        switch kind {
        case 0x0: return try simpleValue(bytes[offset])
        case 0x1: return .int(try integer(offset, size))
        case 0x2: return .real(try real(offset, size))
        case 0x3:
            guard size == 3 else { throw FormatError("a date of the property list is invalid") }
            return .date(try real(offset, 3))
        case 0x4: return .data(Data(bytes[try range(offset, size, unit: 1)]))
        case 0x5, 0x7:
            guard let text = String(validating: bytes[try range(offset, size, unit: 1)], as: UTF8.self) else {
                throw FormatError("a text of the property list is not valid")
            }
            return .string(text)
        case 0x6: return .string(try wideText(try range(offset, size, unit: 2)))
        case 0x8:
            let number = Self.unsigned(bytes, try place(offset + 1, size + 1), min(size + 1, 8))
            guard size < 8, let index = Int(exactly: number) else {
                throw FormatError("a reference of the keyed archive is out of range")
            }
            return .reference(index)
        case 0xA, 0xC:
            let place = try range(offset, size, unit: referenceSize)
            var elements: [PropertyListValue] = []
            for start in stride(from: place.lowerBound, to: place.upperBound, by: referenceSize) {
                elements.append(try value(reference(start), depth: depth + 1))
            }
            return .array(elements)
        case 0xD: return .dictionary(try members(try range(offset, size, unit: referenceSize * 2), depth))
        default: throw FormatError("the property list has an object of an unknown kind")
        }
    }

    private func simpleValue(_ byte: UInt8) throws(FormatError) -> PropertyListValue {
        switch byte {
        case 0x00: .null
        case 0x08: .bool(false)
        case 0x09: .bool(true)
        default: throw FormatError("the property list has an object of an unknown kind")
        }
    }

    private mutating func members(
        _ place: Range<Int>, _ depth: Int
    ) throws(FormatError) -> [String: PropertyListValue] {
        let half = place.count / 2
        var members: [String: PropertyListValue] = [:]
        for start in stride(from: place.lowerBound, to: place.lowerBound + half, by: referenceSize) {
            guard case .string(let name) = try value(reference(start), depth: depth + 1) else {
                throw FormatError("a key of the property list is not a text")
            }
            members[name] = try value(reference(start + half), depth: depth + 1)
        }
        return members
    }

    // MARK: Bytes

    private func reference(_ offset: Int) -> Int {
        Int(clamping: Self.unsigned(bytes, offset, referenceSize))
    }

    private mutating func integer(_ offset: Int, _ power: Int) throws(FormatError) -> Int64 {
        guard power <= 4 else { throw FormatError("a number of the property list is too large") }
        let size = 1 << power
        let start = try place(offset + 1, size)
        guard size == 16 else {
            // Numbers of eight bytes have a sign; shorter ones don't.
            return Int64(bitPattern: Self.unsigned(bytes, start, size))
        }
        let (high, low) = (
            Self.unsigned(bytes, start, 8), Int64(bitPattern: Self.unsigned(bytes, start + 8, 8))
        )
        guard high == 0 && low >= 0 || high == .max && low < 0 else {
            throw FormatError("a number of the property list is too large")
        }
        return low
    }

    private mutating func real(_ offset: Int, _ power: Int) throws(FormatError) -> Double {
        switch power {
        case 2: Double(Float(bitPattern: UInt32(Self.unsigned(bytes, try place(offset + 1, 4), 4))))
        case 3: Double(bitPattern: Self.unsigned(bytes, try place(offset + 1, 8), 8))
        default: throw FormatError("a number of the property list is invalid")
        }
    }

    private func wideText(_ place: Range<Int>) throws(FormatError) -> String {
        let units = stride(from: place.lowerBound, to: place.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw FormatError("a text of the property list is not valid")
        }
        return text
    }

    /// Returns the place of an object's contents, whose count is in its first byte or, if that is 15, in a number after it.
    private mutating func range(_ offset: Int, _ size: Int, unit: Int) throws(FormatError) -> Range<Int> {
        var (start, count) = (offset + 1, size)
        if size == 15 {
            guard start < bytes.count, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
                throw FormatError("a count of the property list is invalid")
            }
            let power = Int(bytes[start] & 15)
            count = Int(clamping: try integer(start, power))
            start += 1 + 1 << power
        }
        let (length, isHuge) = count.multipliedReportingOverflow(by: unit)
        guard count >= 0, !isHuge else { throw FormatError("a count of the property list is invalid") }
        start = try place(start, length)
        return start..<start + length
    }

    /// Checks that an object's bytes are within the file and, together with those of all other objects, not longer than it.
    private mutating func place(_ start: Int, _ count: Int) throws(FormatError) -> Int {
        guard start <= bytes.count, count <= bytes.count - start, count <= bytesLeft else {
            throw FormatError("an object of the property list is longer than the file")
        }
        bytesLeft -= count
        return start
    }

    /// Returns a big-endian number; the caller has checked the place.
    private static func unsigned(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
