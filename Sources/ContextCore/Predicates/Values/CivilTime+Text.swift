/// Formats and parses dates in ISO 8601, as in `2026-08-01T12:00:00.25Z`.
extension CivilTime {
    /// The date as text: without a fraction if that is zero, and with a sign and six digits for years outside 0 to 9999.
    package var text: String {
        let date = "\(Self.year(year))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
        let fraction = microsecond == 0 ? "" : ".\(Self.padded(microsecond, 6))"
        return "\(date)T\(time)\(fraction)Z"
    }

    private static func year(_ year: Int64) -> String {
        if (0...9999).contains(year) { return padded(year, 4) }
        return (year < 0 ? "-" : "+") + padded(abs(year), 6)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Parses a date with an optional time and an optional offset from UTC; nil if the text is invalid.
    package static func microseconds(of text: String) -> Int64? {
        var scanner = CivilScanner(Array(text.utf8))
        guard let (time, offset) = scanner.dateAndOffset(), let microseconds = time.microseconds
        else { return nil }
        let shifted = microseconds.subtractingReportingOverflow(offset * 60_000_000)
        return shifted.overflow ? nil : shifted.partialValue
    }

    /// The time if all its parts are valid in the calendar, else nil.
    fileprivate var validated: CivilTime? {
        guard (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second), (-300_000...300_000).contains(year)
        else { return nil }
        guard let microseconds else { return nil }
        // An invalid day such as June 31 is converted back to July 1.
        return CivilTime(microseconds: microseconds) == self ? self : nil
    }
}

/// Parses the parts of a date in order.
private struct CivilScanner {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses the whole text: the local time and its offset from UTC in minutes.
    mutating func dateAndOffset() -> (CivilTime, offset: Int64)? {
        var time = CivilTime(microseconds: 0)
        guard let year = year(), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
            return nil
        }
        (time.year, time.month, time.day) = (year, month, day)
        if skip("T") || skip(" ") {
            guard let hour = number(2), skip(":"), let minute = number(2) else { return nil }
            (time.hour, time.minute) = (hour, minute)
            if skip(":") {
                guard let second = number(2), let fraction = fraction() else { return nil }
                (time.second, time.microsecond) = (second, fraction)
            }
        }
        guard let offset = offset(), position == bytes.count, let time = time.validated else { return nil }
        return (time, offset)
    }

    private mutating func year() -> Int64? {
        if skip("+") { return number(6) }
        if skip("-") { return number(6).map { -$0 } }
        return number(4)
    }

    private mutating func number(_ digits: Int) -> Int64? {
        guard position + digits <= bytes.count else { return nil }
        var result: Int64 = 0
        for byte in bytes[position..<position + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            result = result * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        position += digits
        return result
    }

    /// Parses a point and one to six digits as microseconds: 0 without a point, nil without digits after it.
    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var digits = 0
        var result: Int64 = 0
        while digits < 6, let digit = number(1) {
            result = result * 10 + digit
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<6 { result *= 10 }
        return result
    }

    private mutating func offset() -> Int64? {
        if position == bytes.count || skip("Z") { return 0 }
        let sign: Int64 = skip("+") ? 1 : -1
        guard sign == 1 || skip("-"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }
}
