/// Values, references or rows of another program that can't be taken over.
struct ImportLoss: Sendable, Equatable {
    /// The property or the table, as `--accept-loss` names it.
    let name: String
    let reason: String
    let count: Int
    /// The keys of the first objects.
    let keys: [Int64]

    var sentence: String {
        if keys.isEmpty { return "\(name): \(reason) (\(Quantity.text(count, "row", "rows")))" }
        let list = keys.map(String.init).joined(separator: ", ") + (count > keys.count ? ", …" : "")
        return "\(name): \(reason) (\(Quantity.text(count, "object", "objects")): \(list))"
    }
}
