/// A date and time in UTC, in the proleptic Gregorian calendar.
///
/// The conversion uses no time zone, locale or system call, so results are the same on every system.
package struct CivilTime: Hashable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var hour: Int64
    package var minute: Int64
    package var second: Int64
    package var microsecond: Int64

    static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Converts microseconds since 1970.
    package init(microseconds: Int64) {
        let (days, rest) = microseconds.floorDivided(by: Self.microsecondsPerDay)
        // Howard Hinnant's days-to-civil algorithm, in which years start in March.
        let (era, dayOfEra) = (days + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600_000_000
        minute = rest / 60_000_000 % 60
        second = rest / 1_000_000 % 60
        microsecond = rest % 1_000_000
    }

    /// Returns the day of the week of a timestamp: 1 is Sunday, 7 is Saturday.
    package static func weekday(microseconds: Int64) -> Int64 {
        let days = microseconds.floorDivided(by: microsecondsPerDay).quotient
        // 1970-01-01 was a Thursday.
        return (days + 4).floorDivided(by: 7).remainder + 1
    }

    /// The timestamp in microseconds since 1970; nil if it doesn't fit into 64 bits.
    package var microseconds: Int64? {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.floorDivided(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let rest = ((hour * 60 + minute) * 60 + second) * 1_000_000 + microsecond
        // Rounds the days toward zero, because the start of the day of the earliest 64-bit timestamp doesn't fit into 64 bits.
        let (fullDays, part) = days < 0 ? (days + 1, rest - Self.microsecondsPerDay) : (days, rest)
        let whole = fullDays.multipliedReportingOverflow(by: Self.microsecondsPerDay)
        guard !whole.overflow else { return nil }
        let sum = whole.partialValue.addingReportingOverflow(part)
        return sum.overflow ? nil : sum.partialValue
    }
}

extension Int64 {
    /// Returns the quotient rounded down and the nonnegative remainder.
    func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
