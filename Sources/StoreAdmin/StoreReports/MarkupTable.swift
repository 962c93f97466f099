/// Writes rows as an HTML table with a caption, in a box that scrolls if the table is too wide.
struct MarkupTable {
    let caption: String
    let rows: RowSet
    /// Returns the markup of a cell from the indices of its row and its column; nil if it is the cell's text.
    var cell: (_ row: Int, _ column: Int) -> Markup? = { _, _ in nil }

    var markup: Markup {
        if rows.rows.isEmpty { return "<p class=\"none\">\(caption): \(rows.emptyText).</p>\n" }
        // A box that scrolls takes the keyboard focus, so that it scrolls without a mouse.
        var markup: Markup = """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>
            <caption>\(caption)</caption>
            <thead><tr>
            """
        for column in rows.columns {
            markup += "<th scope=\"col\"\(Self.alignment(column))>\(column.name)</th>"
        }
        markup += "</tr></thead>\n<tbody>\n"
        for index in rows.rows.indices { markup += row(index) }
        markup += "</tbody></table></div>\n"
        if let footer = rows.footer { markup += "<p class=\"remark\">\(footer)</p>\n" }
        return markup
    }

    private func row(_ index: Int) -> Markup {
        var markup: Markup = "<tr>"
        for (place, column) in rows.columns.enumerated() {
            let text: Markup = cell(index, place) ?? "\(rows.rows[index][place].text)"
            markup +=
                place == 0
                ? "<th scope=\"row\"\(Self.alignment(column))>\(text)</th>"
                : "<td\(Self.alignment(column))>\(text)</td>"
        }
        markup += "</tr>\n"
        return markup
    }

    private static func alignment(_ column: RowSet.Column) -> Markup {
        column.isRightAligned ? " class=\"number\"" : ""
    }
}
