import ContextCore
import Testing

struct DurationTextTests {
    @Test(arguments: [
        ("0ms", 0), ("250ms", 250), ("30s", 30_000), ("5m", 300_000), ("2h", 7_200_000), ("007s", 7000),
    ])
    func `A whole number with a unit is a duration`(_ text: String, _ milliseconds: Int) {
        #expect(Duration(text: text, atMost: .seconds(86_400)) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "ms", "30", "-1s", "+1s", "1.5s", "1e3s", " 1s", "1 s", "1s ", "1d", "1S", "\u{661}s",
        "9223372036854775807h", "99999999999999999999ms",
    ])
    func `Any other text is none`(_ text: String) {
        #expect(Duration(text: text, atMost: .seconds(Int64.max)) == nil)
    }

    @Test func `A duration may be as long as the limit, and no longer`() {
        #expect(Duration(text: "60m", atMost: .seconds(3600)) == .seconds(3600))
        #expect(Duration(text: "3600001ms", atMost: .seconds(3600)) == nil)
    }
}
