extension Int {
    /// The digits in groups of three: `1,234,567`.
    package var groupedDigits: String {
        let digits = Array(String(magnitude))
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// Returns the number with a singular or plural noun: `1 object`, `1,234 objects`.
    package func counted(_ singular: String, _ plural: String) -> String {
        "\(groupedDigits) \(self == 1 ? singular : plural)"
    }
}
