import Foundation

extension Decimal {
    /// The digits of the number without sign and point, the most significant first; none for zero.
    var significantDigits: [UInt8] {
        guard Self.hasKnownShape else {
            return magnitude.significand.description.utf8.map { $0 - UInt8(ascii: "0") }
        }
        var digits: [UInt8] = []
        var wide = mantissa
        while wide > UInt128(UInt64.max) {
            digits.append(UInt8(wide % 10))
            wide /= 10
        }
        var rest = UInt64(wide)
        while rest != 0 {
            digits.append(UInt8(rest % 10))
            rest /= 10
        }
        return digits.reversed()
    }

    /// The number without sign and exponent, which Foundation gives away only as text, four microseconds a piece.
    private var mantissa: UInt128 {
        withUnsafeBytes(of: self) {
            UInt128(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt128.self))
        }
    }

    /// Whether the mantissa lies where it has always lain, tried out on a number of which every byte is another.
    private static let hasKnownShape: Bool = {
        let probe: UInt128 = 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10
        guard MemoryLayout<Decimal>.size == 20, let number = Decimal(string: "-\(probe)e-7") else {
            return false
        }
        return number.mantissa == probe
    }()
}
