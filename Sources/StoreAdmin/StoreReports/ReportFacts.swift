/// Headings with a value each, as an HTML description list.
struct ReportFacts {
    private let facts: [(heading: String, text: String)]

    init(_ facts: [(heading: String, text: String)]) { self.facts = facts }

    var markup: Markup {
        let lines = facts.map { "<div><dt>\($0.heading)</dt><dd>\($0.text)</dd></div>\n" as Markup }
        return "<dl class=\"facts\">\n\(lines.joined())</dl>\n"
    }
}
