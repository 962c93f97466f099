/// Decompresses data in the DEFLATE format (RFC 1951), as Foundation's `NSData.CompressionAlgorithm.zlib` writes it.
///
/// Arbitrary bytes give a result or an error, and the caller limits the size of the result.
struct Inflate {
    private let bytes: [UInt8]
    private let limit: Int
    private var place = 0
    /// Bits that were read from the bytes but not used yet, the next one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// Returns the decompressed data.
    ///
    /// - Parameter limit: The maximum size of the result.
    static func decompressed(_ bytes: some Sequence<UInt8>, limit: Int) throws(FormatError) -> [UInt8] {
        var inflate = Inflate(bytes: Array(bytes), limit: limit)
        try inflate.run()
        return inflate.output
    }

    private mutating func run() throws(FormatError) {
        var isLast = false
        while !isLast {
            isLast = try readBits(1) == 1
            switch try readBits(2) {
            case 0: try copyStored()
            case 1: try decode(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let (literals, distances) = try dynamicCodes()
                try decode(literals, distances)
            default: throw FormatError("the compressed data has a block of an unknown kind")
            }
        }
    }

    // MARK: Blocks

    private mutating func copyStored() throws(FormatError) {
        (bits, bitCount) = (0, 0)
        guard place + 4 <= bytes.count else { throw Self.incomplete }
        let length = Int(bytes[place]) | Int(bytes[place + 1]) << 8
        let check = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
        place += 4
        guard length ^ 0xFFFF == check, length <= bytes.count - place else { throw Self.incomplete }
        try reserve(length)
        output += bytes[place..<place + length]
        place += length
    }

    private mutating func decode(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(FormatError) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try reserve(1)
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                guard symbol - 257 < Self.lengths.count else { throw Self.invalidSymbol }
                let (base, extra) = Self.lengths[symbol - 257]
                let length = base + (try readBits(extra))
                let code = try self.symbol(distances)
                guard code < Self.distances.count else { throw Self.invalidSymbol }
                let distance = Self.distances[code].base + (try readBits(Self.distances[code].extra))
                guard distance <= output.count else { throw Self.invalidSymbol }
                try reserve(length)
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
    }

    private mutating func dynamicCodes() throws(FormatError) -> (HuffmanCode, HuffmanCode) {
        let (literalCount, distanceCount) = (try readBits(5) + 257, try readBits(5) + 1)
        let codeCount = try readBits(4) + 4
        var codeLengths = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount { codeLengths[Self.codeOrder[index]] = try readBits(3) }
        let code = try HuffmanCode(codeLengths)
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try symbol(code)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw Self.invalidSymbol }
                lengths += Array(repeating: last, count: try readBits(2) + 3)
            case 17: lengths += Array(repeating: 0, count: try readBits(3) + 3)
            case 18: lengths += Array(repeating: 0, count: try readBits(7) + 11)
            default: lengths.append(symbol)
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else {
            throw Self.invalidSymbol
        }
        return (
            try HuffmanCode(Array(lengths[..<literalCount])), try HuffmanCode(Array(lengths[literalCount...]))
        )
    }

    // MARK: Bits

    /// Returns the next bits as a number, the first one lowest.
    private mutating func readBits(_ count: Int) throws(FormatError) -> Int {
        while bitCount < count {
            guard place < bytes.count else { throw Self.incomplete }
            bits |= UInt32(bytes[place]) << UInt32(bitCount)
            bitCount += 8
            place += 1
        }
        let value = bits & (1 << UInt32(count) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func symbol(_ code: HuffmanCode) throws(FormatError) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<HuffmanCode.maxLength + 1 {
            value |= try readBits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Self.invalidSymbol
    }

    private mutating func reserve(_ count: Int) throws(FormatError) {
        if count > limit - output.count { throw FormatError("the decompressed data exceeds \(limit) bytes") }
    }

    // MARK: Tables

    private static let incomplete = FormatError("the compressed data is incomplete")
    private static let invalidSymbol = FormatError("the compressed data is not valid")
    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The base and the number of extra bits of each length code, from 257.
    private static let lengths =
        table(of: 28, from: 3) { code in code < 8 ? 0 : code / 4 - 1 } + [(base: 258, extra: 0)]

    /// The base and the number of extra bits of each distance code.
    private static let distances = table(of: 30, from: 1) { code in code < 4 ? 0 : code / 2 - 1 }

    /// Returns the bases of consecutive ranges, each with as many values as its extra bits can express.
    private static func table(
        of count: Int, from first: Int, extra: (Int) -> Int
    ) -> [(base: Int, extra: Int)] {
        var base = first
        return (0..<count).map { code in
            defer { base += 1 << extra(code) }
            return (base, extra(code))
        }
    }

    private static let fixedLiterals = HuffmanCode(
        checked: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = HuffmanCode(checked: Array(repeating: 5, count: 30))
}

/// A canonical Huffman code: the number of symbols of each length, and the symbols in the order of their codes.
private struct HuffmanCode: Sendable {
    static let maxLength = 15

    let counts: [Int]
    let symbols: [Int]

    /// Makes the code from the length of each symbol's code; 0 if the symbol doesn't occur.
    init(_ lengths: [Int]) throws(FormatError) {
        self.init(checked: lengths)
        var left = 1
        for length in 1...Self.maxLength {
            left = left * 2 - counts[length]
            if left < 0 { throw FormatError("the compressed data is not valid") }
        }
    }

    /// Makes a code whose lengths are known to be valid.
    init(checked lengths: [Int]) {
        var counts = [Int](repeating: 0, count: Self.maxLength + 1)
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        self.counts = counts
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
}
