import Foundation
import Testing

@testable import StoreAdmin

struct ReportStyleTests {
    /// The colors of texts, and those behind them.
    private static let pairs = [
        ("text", "page"), ("muted", "page"), ("link", "page"), ("fine", "page"), ("attention", "page"),
        ("failed", "page"), ("text", "head"), ("fine", "fine-back"), ("attention", "attention-back"),
        ("failed", "failed-back"),
    ]

    /// The colors of each appearance, by name.
    private var palettes: [[Substring: Substring]] {
        ReportStyle.text.matches(of: #/:root \{[^}]*\}/#).map { block in
            let colors = block.output.matches(of: #/--([a-z-]+): #([0-9a-f]{6});/#)
            return Dictionary(colors.map { ($0.output.1, $0.output.2) }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the relative luminance of a color, as WCAG 2 defines it.
    private func luminance(_ color: Substring) -> Double {
        let number = Int(color, radix: 16) ?? 0
        let parts = [16, 8, 0].map { shift -> Double in
            let part = Double(number >> shift & 0xFF) / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test func `Texts have enough contrast in both appearances`() throws {
        #expect(palettes.count == 2)
        for (index, colors) in palettes.enumerated() {
            for (front, back) in Self.pairs {
                let first = luminance(try #require(colors[front[...]], "\(front)"))
                let second = luminance(try #require(colors[back[...]], "\(back)"))
                let contrast = (max(first, second) + 0.05) / (min(first, second) + 0.05)
                #expect(contrast >= 4.5, "palette \(index), \(front) on \(back): \(contrast)")
            }
        }
    }

    @Test func `The style sheet loads nothing, and has rules for printing`() {
        #expect(ReportStyle.text.contains("@media print {"))
        #expect(!ReportStyle.text.contains("url(") && !ReportStyle.text.contains("@import"))
        #expect(!ReportStyle.text.contains("<"))
        #expect(ReportStyle.text.count { $0 == "{" } == ReportStyle.text.count { $0 == "}" })
    }
}
