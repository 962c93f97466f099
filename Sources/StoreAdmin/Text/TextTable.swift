/// Sets rows of text in aligned columns.
struct TextTable {
    /// A column's heading, and which side its texts keep to.
    struct Column {
        let name: String
        var isRight = false
    }

    let columns: [Column]
    var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// The table, each line with its end; where a line has too little room, the widest columns are cut.
    func text(_ style: TextStyle, hasHeading: Bool = true) -> String {
        let cells = rows.map { $0.map(Self.onOneLine) }
        let widths = fitting(widths(of: cells, hasHeading), in: style.width)
        var text = ""
        if hasHeading {
            text += style.bold(line(columns.map(\.name), widths)) + "\n"
            text += style.dim(line(widths.map { String(repeating: "─", count: $0) }, widths)) + "\n"
        }
        for row in cells { text += line(row, widths) + "\n" }
        return text
    }

    private func widths(of cells: [[String]], _ hasHeading: Bool) -> [Int] {
        columns.indices.map { column in
            let heading = hasHeading ? DisplayWidth.of(columns[column].name) : 0
            return cells.reduce(heading) { max($0, DisplayWidth.of($1[column])) }
        }
    }

    private func fitting(_ widths: [Int], in room: Int?) -> [Int] {
        guard let room else { return widths }
        var widths = widths
        let gaps = 2 * (widths.count - 1)
        while widths.reduce(gaps, +) > room, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > 8
        {
            widths[widest] -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let text = DisplayWidth.cut(cell, to: widths[column])
            let space = String(repeating: " ", count: widths[column] - DisplayWidth.of(text))
            if column > 0 { line += "  " }
            line += columns[column].isRight ? space + text : text + space
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// What would break the line, or move the terminal's cursor, is written as an escape.
    static func onOneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            return text
        }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\t": line += "\\t"
            case "\r": line += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                line += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
