import ContextCore

/// A pattern that dates are written in, such as `dd.MM.yyyy HH:mm`.
///
/// | letters | meaning |
/// | --- | --- |
/// | `yyyy`, `yy` | the year; of two digits, 69 to 99 are 1969 to 1999, and 00 to 68 are 2000 to 2068 |
/// | `MM`, `M`, `MMM` | the month; `MMM` is its English name or the first three letters of it |
/// | `dd`, `d` | the day of the month |
/// | `HH`, `H` | the hour from 0 to 23 |
/// | `hh`, `h`, with `a` | the hour from 1 to 12, and AM or PM |
/// | `mm`, `m`; `ss`, `s` | the minute; the second |
/// | `S` once or more | the fraction of the second |
/// | `Z` | `Z`, or the offset from UTC such as `+0200` or `+02:00` |
///
/// All other characters, and text between apostrophes, are as they are. A date without a time is midnight, and one without an offset is UTC.
struct DatePattern: Sendable {
    private enum Part: Sendable, Equatable {
        case literal(UInt8)
        case year(digits: Int)
        case month(digits: ClosedRange<Int>)
        case monthName
        case day(digits: ClosedRange<Int>)
        case hour(digits: ClosedRange<Int>)
        case halfDayHour(digits: ClosedRange<Int>)
        case halfDay
        case minute(digits: ClosedRange<Int>)
        case second(digits: ClosedRange<Int>)
        case fraction
        case offset
    }

    private let parts: [Part]

    /// - Throws: ``AdminError`` if the pattern contains an unknown letter, or no year, month and day.
    init(_ text: String) throws(AdminError) {
        var parts: [Part] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            if first == UInt8(ascii: "'") {
                rest = rest.dropFirst()
                let quoted = rest.prefix { $0 != first }
                guard quoted.count < rest.count else { throw Self.error("an apostrophe isn't closed") }
                parts += quoted.isEmpty ? [.literal(first)] : quoted.map(Part.literal)
                rest = rest.dropFirst(quoted.count + 1)
            } else {
                parts += try Self.parts(first, count: run.count)
                rest = rest.dropFirst(run.count)
            }
        }
        func has(_ isWanted: (Part) -> Bool) -> Bool { parts.contains(where: isWanted) }
        let hasYear = has { if case .year = $0 { true } else { false } }
        let hasMonth = has { if case .month = $0 { true } else { $0 == .monthName } }
        let hasDay = has { if case .day = $0 { true } else { false } }
        guard hasYear, hasMonth, hasDay else { throw Self.error("it needs a year, a month and a day") }
        let hasHalf = has { if case .halfDayHour = $0 { true } else { false } }
        guard hasHalf == has({ $0 == .halfDay }) else { throw Self.error("h and a belong together") }
        self.parts = parts
    }

    private static func parts(_ letter: UInt8, count: Int) throws(AdminError) -> [Part] {
        let digits = count == 1 ? 1...2 : count...count
        switch (Character(UnicodeScalar(letter)), count) {
        case ("y", 4), ("y", 2): return [.year(digits: count)]
        case ("M", 3), ("M", 4): return [.monthName]
        case ("M", 1), ("M", 2): return [.month(digits: digits)]
        case ("d", 1), ("d", 2): return [.day(digits: digits)]
        case ("H", 1), ("H", 2): return [.hour(digits: digits)]
        case ("h", 1), ("h", 2): return [.halfDayHour(digits: digits)]
        case ("m", 1), ("m", 2): return [.minute(digits: digits)]
        case ("s", 1), ("s", 2): return [.second(digits: digits)]
        case ("S", _): return [.fraction]
        case ("a", 1): return [.halfDay]
        case ("Z", 1): return [.offset]
        case (let character, _) where character.isASCII && character.isLetter:
            throw error("it contains “\(String(repeating: character, count: count))”")
        default: return Array(repeating: .literal(letter), count: count)
        }
    }

    private static func error(_ reason: String) -> AdminError {
        .usage(
            "--date-format is no date pattern: \(reason).",
            hint:
                "Write it like 'dd.MM.yyyy HH:mm'; letters that aren't part of the pattern are in apostrophes."
        )
    }

    /// Returns the timestamp of a text in microseconds since 1970; nil if the text doesn't follow the pattern.
    func microseconds(of text: String) -> Int64? {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        for part in parts {
            guard scanner.scan(part) else { return nil }
        }
        return scanner.rest.isEmpty ? scanner.microseconds : nil
    }

    /// The state of parsing one text.
    private struct Scanner {
        var rest: ArraySlice<UInt8>
        private var time = CivilTime(microseconds: 0)
        private var isAfternoon: Bool?
        private var offset: Int64 = 0

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func scan(_ part: Part) -> Bool {
            switch part {
            case .literal(let byte): return skip(byte)
            case .year(let digits):
                return set(\.year, digits...digits) { year in
                    digits == 4 ? year : year < 69 ? 2000 + year : 1900 + year
                }
            case .month(let digits): return set(\.month, digits)
            case .monthName: return scanMonthName()
            case .day(let digits): return set(\.day, digits)
            case .hour(let digits): return set(\.hour, digits)
            case .halfDayHour(let digits):
                return set(\.hour, digits) && (1...12).contains(time.hour)
            case .halfDay: return scanHalfDay()
            case .minute(let digits): return set(\.minute, digits)
            case .second(let digits): return set(\.second, digits)
            case .fraction: return scanFraction()
            case .offset: return scanOffset()
            }
        }

        private mutating func set(
            _ field: WritableKeyPath<CivilTime, Int64>, _ digits: ClosedRange<Int>,
            _ convert: (Int64) -> Int64 = { $0 }
        ) -> Bool {
            guard let number = number(digits) else { return false }
            time[keyPath: field] = convert(number)
            return true
        }

        private mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
            let found = rest.prefix(digits.upperBound).prefix { (0x30...0x39).contains($0) }
            guard found.count >= digits.lowerBound else { return nil }
            rest = rest.dropFirst(found.count)
            return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        private mutating func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        private mutating func word() -> String {
            let letters = rest.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
            rest = rest.dropFirst(letters.count)
            return String(decoding: letters, as: UTF8.self).lowercased()
        }

        private mutating func scanMonthName() -> Bool {
            let word = word()
            let found = DatePattern.months.firstIndex { $0 == word || $0.prefix(3) == word }
            guard let found else { return false }
            time.month = Int64(found + 1)
            return true
        }

        private mutating func scanHalfDay() -> Bool {
            let word = word()
            isAfternoon = word == "pm"
            return word == "am" || word == "pm"
        }

        private mutating func scanFraction() -> Bool {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 9 else { return false }
            rest = rest.dropFirst(digits.count)
            var number: Int64 = 0
            for digit in digits.prefix(6) { number = number * 10 + Int64(digit - 0x30) }
            for _ in digits.count..<max(6, digits.count) { number *= 10 }
            time.microsecond = number
            return true
        }

        private mutating func scanOffset() -> Bool {
            if skip(UInt8(ascii: "Z")) { return true }
            let isEast = skip(UInt8(ascii: "+"))
            guard isEast || skip(UInt8(ascii: "-")), let hours = number(2...2) else { return false }
            _ = skip(UInt8(ascii: ":"))
            let minutes = number(2...2) ?? 0
            offset = (isEast ? 1 : -1) * (hours * 60 + minutes)
            return hours < 24 && minutes < 60
        }

        /// The timestamp, if the date exists in the calendar.
        var microseconds: Int64? {
            var time = time
            if let isAfternoon { time.hour = time.hour % 12 + (isAfternoon ? 12 : 0) }
            guard (1...12).contains(time.month), (1...31).contains(time.day), (0...23).contains(time.hour),
                (0...59).contains(time.minute), (0...59).contains(time.second),
                let microseconds = time.microseconds, CivilTime(microseconds: microseconds) == time
            else { return nil }
            return microseconds - offset * 60_000_000
        }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]
}
