import Foundation

extension StoredValue {
    /// The same number as the attribute's type keeps it; the value itself where that would change it.
    func widened(to type: AttributeType) -> StoredValue {
        switch (self, type) {
        case (.int(let value), .double), (.int(let value), .float):
            Double(exactly: value).map(StoredValue.double) ?? self
        case (.int(let value), .decimal):
            .decimal(Decimal(value))
        default:
            self
        }
    }
}
