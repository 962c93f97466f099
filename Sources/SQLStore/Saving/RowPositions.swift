import ContextCore

/// The positions of rows in ordered relationships, saved while the rows are deleted and inserted again.
struct RowPositions<Writer: RowWriter> {
    private let writer: Writer
    private var savedPositions: [(table: String, column: String, positions: [RowPosition])] = []

    init(_ writer: Writer) { self.writer = writer }

    mutating func recordPositions(_ keys: [Int64], of entityIndex: Int) throws(StoreError) {
        let table = writer.reader.mapping.entities[entityIndex].table
        for column in writer.reader.mapping.positionColumns(of: table) {
            let positions = try writer.positions(column, of: table, keys)
            if !positions.isEmpty { savedPositions.append((table, column, positions)) }
        }
    }

    func restore() throws(StoreError) {
        for place in savedPositions {
            try writer.setPositions(place.positions, place.column, of: place.table)
        }
    }
}
