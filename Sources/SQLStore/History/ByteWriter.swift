/// Encodes integers as LEB128 varints and texts as length-prefixed UTF-8.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a signed integer in ZigZag encoding, so that values near zero take one byte.
    mutating func write(signed number: Int64) {
        write(number: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    mutating func write(_ text: String) {
        write(number: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ data: some Collection<UInt8>) {
        write(number: UInt64(data.count))
        bytes.append(contentsOf: data)
    }
}

/// Decodes the bytes of a ``ByteWriter``; its functions return nil if the bytes are invalid.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = byte(), shift < 64 {
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        return nil
    }

    mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: ($0 >> 1) ^ (~($0 & 1) &+ 1)) }
    }

    /// Reads a count of bytes or elements that follow, which can't exceed the number of bytes left.
    mutating func count() -> Int? {
        guard let number = number(), number <= UInt64(bytes.count - position) else { return nil }
        return Int(number)
    }

    mutating func data() -> [UInt8]? {
        guard let count = count() else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func text() -> String? {
        data().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
