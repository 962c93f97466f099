/// Formats rows of text in aligned columns.
struct TextTable {
    /// A column's heading and alignment.
    struct Column {
        let name: String
        var isRightAligned = false
    }

    let columns: [Column]
    var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// Returns the table's lines, cutting the widest columns if a line is too wide.
    func text(_ style: TextStyle, hasHeading: Bool = true) -> String {
        let cells = rows.map { $0.map(Self.escapingControlCharacters) }
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
            let heading = hasHeading ? DisplayWidth.columnCount(columns[column].name) : 0
            return cells.reduce(heading) { max($0, DisplayWidth.columnCount($1[column])) }
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
            let text = DisplayWidth.truncated(cell, to: widths[column])
            let space = String(repeating: " ", count: widths[column] - DisplayWidth.columnCount(text))
            if column > 0 { line += "  " }
            line += columns[column].isRightAligned ? space + text : text + space
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Returns the text with control characters, such as line feeds, replaced by escape sequences.
    static func escapingControlCharacters(_ text: String) -> String {
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
