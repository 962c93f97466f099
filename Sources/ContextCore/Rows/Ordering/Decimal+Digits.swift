import Foundation

extension Decimal {
    /// The decimal digits of the significand, the most significant first; empty for zero.
    var significantDigits: [UInt8] {
        guard Self.hasExpectedLayout else {
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

    /// The significand as an integer, read from memory because Foundation exposes it only as a slow string conversion.
    private var mantissa: UInt128 {
        withUnsafeBytes(of: self) {
            UInt128(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt128.self))
        }
    }

    /// Whether Decimal has the expected memory layout, tested with a number whose bytes are all different.
    private static let hasExpectedLayout: Bool = {
        let probe: UInt128 = 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10
        guard MemoryLayout<Decimal>.size == 20, let number = Decimal(string: "-\(probe)e-7") else {
            return false
        }
        return number.mantissa == probe
    }()
}
