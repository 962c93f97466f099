import Foundation

extension StoredValue {
    /// Returns the number converted to the attribute's type; the value itself if the type can't represent it.
    ///
    /// Swift makes a literal such as `0.1` a double, because it doesn't know the attribute's type. So a double is converted to the
    /// decimal number with its shortest digits, or to the nearest 32-bit number, as the literal would be.
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
    /// The nearest 32-bit number; nil if it is infinite or zero and this number isn't.
    fileprivate var nearestFloat: Float? {
        let nearest = Float(self)
        return nearest.isInfinite != isInfinite || nearest.isZero != isZero || isNaN ? nil : nearest
    }
}
