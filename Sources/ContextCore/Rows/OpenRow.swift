public import Foundation

/// The current row of a ``RowBatchBuilder``, into which backends write fields directly.
///
/// Fields that aren't written are null. The pointer is valid until the next row begins, and only during the builder's lifetime.
/// The functions look up and check nothing, because they run for every value of a fetch.
@usableFromInline
package struct OpenRow {
    // Points into the builder's memory. The row has the size of the layout that the locations belong to.
    @usableFromInline let memory: UnsafeMutableRawPointer

    init(memory: UnsafeMutableRawPointer) { self.memory = memory }

    @inlinable
    @inline(__always)
    package func set(_ location: FieldLocation, integer value: Int64) {
        clearNullBit(location).storeBytes(of: value, as: Int64.self)
    }

    @inlinable
    @inline(__always)
    package func set(_ location: FieldLocation, double value: Double) {
        clearNullBit(location).storeBytes(of: value, as: Double.self)
    }

    @inlinable
    @inline(__always)
    package func set(_ location: FieldLocation, uuid value: UUID) {
        clearNullBit(location).storeBytes(of: value, as: UUID.self)
    }

    /// Sets a string, data or decimal whose bytes the builder has copied to its heap.
    @inlinable
    @inline(__always)
    package func set(_ location: FieldLocation, heapRange value: HeapRange) {
        clearNullBit(location).storeBytes(of: value, as: HeapRange.self)
    }

    /// Clears the null bit of a field and returns the field's address.
    @inlinable
    @inline(__always)
    func clearNullBit(_ location: FieldLocation) -> UnsafeMutableRawPointer {
        let bits = memory.load(fromByteOffset: location.nullWord, as: UInt64.self)
        memory.storeBytes(of: bits & location.otherBits, toByteOffset: location.nullWord, as: UInt64.self)
        return memory + location.offset
    }
}

/// The range of the bytes of a string, data or decimal in the heap of a batch.
@usableFromInline
package struct HeapRange: BitwiseCopyable {
    @usableFromInline let offset: UInt32
    @usableFromInline let length: UInt32

    @inlinable
    init(offset: UInt32, length: UInt32) {
        self.offset = offset
        self.length = length
    }
}
