import ContextCore
import Foundation

/// The HTML page of a store's report, which needs no other file and no network, and runs no script.
struct ReportPage {
    let report: StoreReport
    let tool: Tool
    /// The time that the page states.
    let date: Date

    /// The page, without secrets.
    var text: String {
        let secrets = tool.environment.secrets
        return page.document { secrets.redacted(tool.withProgramName($0)) }
    }

    /// The rule with which a browser loads and runs nothing except the page's own style sheet.
    static let policy: String = {
        let digest = Data(SHA256.digest(of: Array(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'"
    }()

    private static let style = ReportStyle.text + "\n" + SVGDiagram.style

    private var page: Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Markup(escapedText: Self.policy))">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Store report: \(report.store.title)</title>
        <style>\(Markup(escapedText: Self.style))</style>
        </head>
        <body>
        <header>
        <p class="kind">Store report</p>
        <h1>\(report.store.title)</h1>
        <p class="remark">Made at <time>\(CivilTime(date: date).text)</time> by \(tool.product).</p>
        </header>
        <main>
        \(summary)\(report.sections.map(\.markup).joined())</main>
        </body>
        </html>

        """
    }

    private var summary: Markup {
        let links = report.sections.map { section -> Markup in
            """
            <li><a href="#\(section.anchor)">\(section.title)</a> \
            <span class="\(section.resultClass)">\(section.result)</span></li>

            """
        }
        return """
            <section id="summary" aria-labelledby="summary-title">
            <h2 id="summary-title">Summary</h2>
            \(verdict)\(ReportFacts(facts).markup)<nav aria-label="Sections"><ul class="results">
            \(links.joined())</ul></nav>
            </section>

            """
    }

    private var verdict: Markup {
        let failed = Quantity.text(report.failedCount, "section", "sections") + " couldn't be made"
        if report.findingCount > 0 {
            let findings = Quantity.text(report.findingCount, "finding needs", "findings need")
            let rest = report.failedCount == 0 ? "" : ", and \(failed)"
            return "<p class=\"attention box\">\(findings) attention\(rest).</p>\n"
        }
        if report.failedCount > 0 { return "<p class=\"failed box\">\(failed).</p>\n" }
        return "<p class=\"fine box\">Nothing needs attention.</p>\n"
    }

    private var facts: [(heading: String, text: String)] {
        let (facts, contents) = (report.facts, report.contents)
        let version = report.migrations.version.map { "\($0), " } ?? ""
        let fingerprint = report.models.last?.fingerprint.prefix(12) ?? ""
        return [
            ("address", report.store.url.description + (report.store.isProduction ? " (production)" : "")),
            ("backend", "\(facts.product) \(facts.version)"),
            ("version", "\(version)model \(report.models.count), \(fingerprint)"),
            ("objects", contents.map { Quantity.count($0.total) } ?? "unknown"),
            ("size", facts.bytes.map(Quantity.bytes) ?? "unknown"),
            ("last save", contents?.lastSaveText ?? "unknown"),
        ]
    }
}
