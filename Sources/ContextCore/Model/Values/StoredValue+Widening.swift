import Foundation

extension StoredValue {
    /// The same number as the attribute's type keeps it; the value itself where the type has no such number.
    ///
    /// Swift reads a literal such as `0.1` as a double, before anybody can say what attribute it is meant for. So a double
    /// stands for the decimal number with its shortest digits, and for the nearest 32-bit number, as the literal would have.
    func widened(to type: AttributeType) -> StoredValue {
        switch (self, type) {
        case (.int(let value), .double), (.int(let value), .float):
            Double(exactly: value).map(StoredValue.double) ?? self
        case (.int(let value), .decimal):
            .decimal(Decimal(value))
        case (.double(let value), .decimal):
            value.isFinite ? Decimal(exactly: value.description).map(StoredValue.decimal) ?? self : self
        case (.double(let value), .float):
            value.nearestFloat.map { .double(Double($0)) } ?? self
        default:
            self
        }
    }
}

extension Double {
    /// The nearest 32-bit number; nil where that would be infinite, or zero, and this isn't.
    fileprivate var nearestFloat: Float? {
        let nearest = Float(self)
        return nearest.isInfinite != isInfinite || nearest.isZero != isZero || isNaN ? nil : nearest
    }
}
