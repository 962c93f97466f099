#if Studio
/// One request on its way: its target, and later its head and the part of its body that has arrived.
///
/// Used by the thread of its connection alone.
final class Exchange {
    let target: String
    var head: HTTPRequestHead?
    var body: [UInt8] = []
    /// Whether the library has got a response.
    var isAnswered = false

    init(target: String) { self.target = target }

    /// A pointer that keeps the object until ``release(_:)``.
    var retainedPointer: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func object(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
        // Unretained: the pointer comes from `retainedPointer`, and is released only by ``release(_:)``.
        pointer.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    static func release(_ pointer: UnsafeMutableRawPointer?) {
        if let pointer { Unmanaged<Exchange>.fromOpaque(pointer).release() }
    }
}
#endif
