extension Duration {
    /// Parses a whole number with a unit: `250ms`, `30s`, `5m` or `2h`; nil for any other text, and for a duration above the limit.
    package init?(text: String, atMost limit: Duration) {
        let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, milliseconds) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.utf8.dropLast(unit.utf8.count)
        guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let number = Int(text.dropLast(unit.count))
        else { return nil }
        let (product, hasOverflow) = number.multipliedReportingOverflow(by: milliseconds)
        guard !hasOverflow, .milliseconds(product) <= limit else { return nil }
        self = .milliseconds(product)
    }
}
