package import ContextCore

/// The keys of a batch's rows.
package struct BatchKeys: RandomAccessCollection {
    private let batch: RowBatch

    package init(_ batch: RowBatch) { self.batch = batch }

    package var startIndex: Int { 0 }
    package var endIndex: Int { batch.count }
    package subscript(position: Int) -> Int64 { batch.key(at: position) }
}
