import Foundation
import Testing

@testable import StoreAdmin

struct MarkupTests {
    private static let hostile = "</td><script src='x' title=\"y\">&amp;\u{0}\u{1B}\u{85}"
    private static let escaped =
        "&lt;/td&gt;&lt;script src=&#39;x&#39; title=&quot;y&quot;&gt;&amp;amp;\u{FFFD}\u{FFFD}\u{FFFD}"

    @Test func `A text is neither a tag nor a reference`() {
        #expect(MarkupText.escaped(Self.hostile) == Self.escaped)
        #expect(MarkupText.escaped("Zoë\t1 > 0\n") == "Zoë\t1 &gt; 0\n")
    }

    @Test func `Texts in literals are escaped, and tags are not`() {
        let cell: Markup = "<td title=\"\(Self.hostile)\">\(Self.hostile)</td>"
        let row: Markup = "<tr>\(cell)\(12)</tr>"
        #expect(
            [row, row].joined().document { $0 }
                == String(
                    repeating: "<tr><td title=\"\(Self.escaped)\">\(Self.escaped)</td>12</tr>", count: 2))
    }

    @Test func `Texts are changed before they are escaped`() {
        let secret = "a<b&'"
        let markup: Markup = "<p>\(secret) a&lt;b</p>"
        #expect(markup.document { $0.replacing(secret, with: "***") } == "<p>*** a&lt;b</p>")
    }

    @Test func `A table has a caption and headings, and escapes its cells`() {
        var rows = RowSet([.init("a"), .init("<b>", isRightAligned: true)], emptyText: "no rows")
        #expect(
            MarkupTable(caption: "&", rows: rows).markup.document { $0 }
                == "<p class=\"none\">&amp;: no rows.</p>\n")
        rows.append([.string(Self.hostile), .count(1234)])
        let table = MarkupTable(caption: "<i>", rows: rows) { _, column in
            column == 1 ? "<a href=\"#x\">\("<")</a>" : nil
        }
        .markup.document { $0 }
        #expect(table.contains("<caption>&lt;i&gt;</caption>") && table.contains("aria-label=\"&lt;i&gt;\""))
        #expect(table.contains("<th scope=\"col\">a</th><th scope=\"col\" class=\"number\">&lt;b&gt;</th>"))
        #expect(
            table.contains(
                "<tr><th scope=\"row\">\(Self.escaped)</th><td class=\"number\"><a href=\"#x\">&lt;</a></td></tr>"
            ))
    }

    @Test func `A section with an error shows it, and has no findings`() {
        let section = ReportSection("check", "Check") {
            throw AdminError.refused("<b>no</b>", hint: "Ask \"them\".")
        }
        let text = section.markup.document { $0 }
        #expect(
            text.hasPrefix(
                "<section id=\"check\" aria-labelledby=\"check-title\">\n<h2 id=\"check-title\">Check</h2>\n")
        )
        #expect(
            text.contains("(SC3003)") && text.contains("&lt;b&gt;no&lt;/b&gt;")
                && text.contains("Ask &quot;them&quot;."))
        #expect(section.findingCount == 0 && section.result == "failed")
    }
}
