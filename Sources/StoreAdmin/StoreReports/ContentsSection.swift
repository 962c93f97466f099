/// The number of objects of each entity.
enum ContentsSection {
    /// The width of the bar of the largest entity.
    private static let barWidth = 160

    static func contents(_ contents: StoreContents) -> ReportSection.Contents {
        let counts = contents.largestFirst
        let largest = max(counts.first?.count ?? 0, 1)
        var rows = RowSet(
            [.init("entity"), .init("objects", isRightAligned: true), .init("of the largest")],
            emptyText: "no entities")
        for (name, count) in counts { rows.append([.string(name), .count(count), .none]) }
        let table = MarkupTable(caption: "Objects of each entity", rows: rows) { row, column in
            column == 2 ? bar(counts[row].count, of: largest) : nil
        }
        let total = Quantity.text(contents.total, "object", "objects")
        var warning = Markup.empty
        if let unfinished = contents.unfinished {
            warning = """
                <div class="attention box"><p>\(unfinished.message)</p>
                <p class="remedy">\(contents.remedy)</p></div>

                """
        }
        return ReportSection.Contents(
            markup: """
                \(warning)<p>\(total) in \(Quantity.text(counts.count, "entity", "entities")). Last save: \
                \(contents.lastSaveText).</p>
                \(table.markup)
                """, findingCount: contents.unfinished == nil ? 0 : 1,
            result: contents.unfinished == nil ? total : "incomplete")
    }

    /// Returns a bar, which repeats the number before it and is hidden from screen readers.
    private static func bar(_ count: Int, of largest: Int) -> Markup {
        let width = count == 0 ? 0 : max(1, Int(Double(count) / Double(largest) * Double(barWidth)))
        return """
            <svg class="bar" width="\(barWidth)" height="10" aria-hidden="true"><rect width="\(width)" height="10"/></svg>
            """
    }
}
