/// The encoding of an imported file.
enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    /// UTF-16 with a byte-order mark.
    case utf16 = "utf-16"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    case latin1 = "latin-1"
    case windows1252 = "windows-1252"

    /// The encodings that begin with a byte-order mark.
    fileprivate static let byteOrderMarks: [(mark: [UInt8], encoding: TextEncoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ]
}

/// A converter of a text file to UTF-8, which gets the file in pieces of any size.
///
/// It removes a byte-order mark. Without a given encoding, the mark determines it, and a file without one is UTF-8.
struct UTF8Converter {
    /// Bytes that are invalid in the file's encoding.
    struct Failure: Error, Equatable {
        /// The position of the first invalid byte, counted from 0.
        let offset: Int
        let encoding: TextEncoding
    }

    private let given: TextEncoding?
    /// The encoding, once the beginning of the file is known.
    private var encoding: TextEncoding?
    /// Bytes that are not converted yet: the beginning of the file, or of a character.
    private var pending: [UInt8] = []
    /// The position of the first pending byte.
    private var offset = 0

    init(_ encoding: TextEncoding?) { given = encoding }

    /// Converts the next piece of the file.
    mutating func convert(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        pending += bytes
        if encoding == nil {
            if pending.count < 3 { return [] }
            try detect()
        }
        return try convertPending(isLast: false)
    }

    /// Converts the end of the file.
    mutating func finish() throws(Failure) -> [UInt8] {
        if encoding == nil { try detect() }
        return try convertPending(isLast: true)
    }

    private mutating func detect() throws(Failure) {
        let found = TextEncoding.byteOrderMarks.first { pending.starts(with: $0.mark) }
        let isOfGivenEncoding =
            given == nil || found?.encoding == given || (given == .utf16 && found?.encoding != .utf8)
        if let found, isOfGivenEncoding {
            encoding = found.encoding
            remove(found.mark.count)
        } else if given == .utf16 {
            throw Failure(offset: 0, encoding: .utf16)
        } else {
            encoding = given ?? .utf8
        }
    }

    private mutating func remove(_ count: Int) {
        pending.removeFirst(count)
        offset += count
    }

    private mutating func convertPending(isLast: Bool) throws(Failure) -> [UInt8] {
        switch encoding ?? .utf8 {
        case .utf8: try convertUTF8(isLast: isLast)
        case .utf16, .utf16LittleEndian: try convertUTF16(isLast: isLast, .utf16LittleEndian, low: 0, high: 1)
        case .utf16BigEndian: try convertUTF16(isLast: isLast, .utf16BigEndian, low: 1, high: 0)
        case .latin1: convertBytes { UInt32($0) }
        case .windows1252: convertBytes { Self.windows1252[$0] ?? UInt32($0) }
        }
    }

    // MARK: UTF-8

    private mutating func convertUTF8(isLast: Bool) throws(Failure) -> [UInt8] {
        let complete = isLast ? pending.count : pending.count - Self.incompleteLength(pending)
        let converted = Array(pending[..<complete])
        if let invalid = Self.firstInvalidByte(converted) {
            throw Failure(offset: offset + invalid, encoding: .utf8)
        }
        remove(complete)
        return converted
    }

    /// Returns the number of bytes at the end that begin a character without ending it.
    private static func incompleteLength(_ bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let byte = bytes[bytes.count - length]
            // A continuation byte, whose first byte is farther left.
            if byte & 0xC0 == 0x80 { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > length ? length : 0
        }
        return 0
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let character): position += character.count
            case .error: return position
            case .emptyInput: return nil
            }
        }
    }

    // MARK: UTF-16

    private mutating func convertUTF16(
        isLast: Bool, _ encoding: TextEncoding, low: Int, high: Int
    ) throws(Failure) -> [UInt8] {
        var converted: [UInt8] = []
        converted.reserveCapacity(pending.count)
        var place = 0
        func unit(_ place: Int) -> UInt32 {
            UInt32(pending[place + low]) | UInt32(pending[place + high]) << 8
        }
        while place + 2 <= pending.count {
            var scalar = unit(place)
            var length = 2
            if scalar & 0xFC00 == 0xD800 {
                if place + 4 > pending.count { break }
                let second = unit(place + 2)
                guard second & 0xFC00 == 0xDC00 else {
                    throw Failure(offset: offset + place, encoding: encoding)
                }
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + second & 0x3FF
                length = 4
            }
            guard let character = Unicode.Scalar(scalar) else {
                throw Failure(offset: offset + place, encoding: encoding)
            }
            converted.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
            place += length
        }
        if isLast, place < pending.count { throw Failure(offset: offset + place, encoding: encoding) }
        remove(place)
        return converted
    }

    // MARK: Encodings of one byte

    private mutating func convertBytes(_ scalar: (UInt8) -> UInt32) -> [UInt8] {
        var converted: [UInt8] = []
        converted.reserveCapacity(pending.count * 2)
        for byte in pending {
            if byte < 0x80 {
                converted.append(byte)
            } else if let character = Unicode.Scalar(scalar(byte)) {
                converted.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
            }
        }
        remove(pending.count)
        return converted
    }

    /// The characters of Windows-1252 that differ from Latin-1.
    private static let windows1252: [UInt8: UInt32] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021,
        0x88: 0x02C6, 0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018,
        0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC,
        0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A, 0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
    ]
}
