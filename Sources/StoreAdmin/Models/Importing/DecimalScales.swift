import ContextCore
import Foundation

/// Chooses the number of fractional digits of decimal columns that don't declare one, by their values.
struct DecimalScales {
    let reader: any ForeignTableReader
    /// The number of fractional digits that a column has at least.
    private static let leastScale = 10
    /// The number of digits of a decimal attribute.
    private static let precision = 38

    /// Gives each such column the type that all of its values fit, if there is one.
    func adjust(_ structures: inout [TableStructure]) throws {
        for index in structures.indices where structures[index].hasRows {
            for (place, column) in structures[index].columns.enumerated() where column.assumesScale {
                if let scale = try scale(of: column, structures[index]) {
                    structures[index].columns[place].type = .decimal(precision: Self.precision, scale: scale)
                }
            }
        }
    }

    /// Returns the number of fractional digits that a column needs; nil if the usual one is enough, or if no number is.
    private func scale(of column: TableStructure.Column, _ structure: TableStructure) throws -> Int? {
        let (name, table) = (ForeignSpelling.quoted(column.name), reader.spelling.table(structure))
        let value = reader.spelling.value(column, "s")
        var scale = 0
        let query = """
            SELECT \(value) FROM \(table) AS s WHERE \(reader.spelling.isNumber("s.\(name)")) \
            AND s.\(name) <> round(s.\(name), \(Self.leastScale))
            """
        try reader.forEachRow(of: query, []) { row in
            guard let number = Self.number(row[0]) else { return }
            scale = max(scale, -number.exponent)
        }
        guard scale > Self.leastScale else { return nil }
        let greatest = "SELECT CAST(max(abs(s.\(name))) AS text) FROM \(table) AS s"
        guard let text = try reader.rows(greatest).first?.first, let number = Self.number(text) else {
            return nil
        }
        var (whole, digits) = (number, 0)
        while whole >= 1, digits <= Self.precision {
            whole /= 10
            digits += 1
        }
        return digits + scale <= Self.precision ? scale : nil
    }

    private static func number(_ value: StoredValue) -> Decimal? {
        guard
            case .decimal(let number)? = try? DatabaseValues().value(
                value, of: .decimal(precision: 38, scale: 0))
        else {
            return nil
        }
        return number
    }
}
