extension Int {
    /// The digits in groups of three: `1,234,567`.
    package var groupedDigits: String {
        let digits = Array(String(magnitude))
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// Returns the number with a singular or plural noun: `1 object`, `1,234 objects`.
    package func counted(_ one: String, _ many: String) -> String {
        "\(groupedDigits) \(self == 1 ? one : many)"
    }
}
