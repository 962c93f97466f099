import ContextCore
import Testing

@testable import StoreAdmin

struct DatePatternTests {
    private func text(_ text: String, _ pattern: String) throws -> String? {
        try DatePattern(pattern).microseconds(of: text).map { CivilTime(microseconds: $0).text }
    }

    @Test(
        arguments: [
            ("01.08.2026", "dd.MM.yyyy", "2026-08-01T00:00:00Z"),
            ("1/8/26 3:05 pm", "M/d/yy h:mm a", "2026-01-08T15:05:00Z"),
            ("12/31/69 12:00 AM", "M/d/yy hh:mm a", "1969-12-31T00:00:00Z"),
            ("8 Aug 2026", "d MMM yyyy", "2026-08-08T00:00:00Z"),
            ("8 August 2026", "d MMM yyyy", "2026-08-08T00:00:00Z"),
            ("2026-08-01 23:59:59.25 +0200", "yyyy-MM-dd HH:mm:ss.SS Z", "2026-08-01T21:59:59.250000Z"),
            ("20260801T120000Z", "yyyyMMdd'T'HHmmssZ", "2026-08-01T12:00:00Z"),
            ("2026年8月1日", "yyyy年M月d日", "2026-08-01T00:00:00Z"),
            ("29.02.2024 o'clock", "dd.MM.yyyy 'o''clock'", nil),
            ("29.02.2024 o'clock", "dd.MM.yyyy 'o'''clock", nil),
            ("29.02.2023", "dd.MM.yyyy", nil), ("1.8.2026", "dd.MM.yyyy", nil),
            ("01.08.2026 ", "dd.MM.yyyy", nil), ("01.13.2026", "dd.MM.yyyy", nil),
            ("2026-08-01 24:00", "yyyy-MM-dd HH:mm", nil), ("8 Foo 2026", "d MMM yyyy", nil),
            ("", "yyyy-M-d", nil),
        ] as [(String, String, String?)])
    func `A date follows its pattern, or isn't accepted`(date: String, pattern: String, expected: String?)
        throws
    {
        guard let found = try? DatePattern(pattern) else {
            #expect(expected == nil)
            return
        }
        #expect(found.microseconds(of: date).map { CivilTime(microseconds: $0).text } == expected)
    }

    @Test(arguments: ["dd.MM", "yyyy-MM-dd q", "yyyy-MM-dd h:mm", "yyyy-MM-dd 'T", "yyyyy-MM-dd", ""])
    func `A pattern that says too little is an error`(pattern: String) {
        #expect(throws: AdminError.self) { try DatePattern(pattern) }
    }
}
