#if Studio
internal import CMicrohttpd

/// Copies the parts of a stream into the library's buffers, which may be smaller.
///
/// Used by the thread of its connection alone.
final class StreamReader {
    private let stream: any ResponseStream
    private let partArrived: () -> Void
    private let release: @Sendable () -> Void
    private var part: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - partArrived: Called after each wait for a part.
    ///   - release: Called once, when the library has sent the response or can't.
    init(
        _ stream: any ResponseStream, partArrived: @escaping () -> Void,
        release: @escaping @Sendable () -> Void
    ) {
        self.stream = stream
        self.partArrived = partArrived
        self.release = release
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            while part.isEmpty {
                guard let next = try stream.next() else { return microhttpd_end }
                partArrived()
                part = next[...]
            }
        } catch {
            return microhttpd_failure
        }
        let count = min(part.count, buffer.count)
        part.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        part = part.dropFirst(count)
        return count
    }

    /// A pointer that keeps the object until ``release(_:)``.
    var retainedPointer: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func object(_ pointer: UnsafeMutableRawPointer?) -> StreamReader? {
        // Unretained: the pointer comes from `retainedPointer`, and is released only by ``release(_:)``.
        pointer.map { Unmanaged<StreamReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Ends the stream, because the library has sent the response or can't.
    static func release(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        // Retained: the library calls this once, and the pointer comes from `retainedPointer`.
        let reader = Unmanaged<StreamReader>.fromOpaque(pointer).takeRetainedValue()
        reader.stream.cancel()
        reader.release()
    }
}
#endif
