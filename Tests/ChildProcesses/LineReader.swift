public import Foundation

/// Reads what a process says, line by line.
public struct LineReader {
    private let file: FileHandle
    private var buffer = Data()

    /// Begins with what is said next.
    public init(_ file: FileHandle) { self.file = file }

    /// The next line; nil where it ends without one.
    public mutating func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line
            }
            let more = file.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    /// All that is still said and was not read.
    public mutating func rest() -> String {
        buffer += file.readDataToEndOfFile()
        defer { buffer = Data() }
        return String(decoding: buffer, as: UTF8.self)
    }
}
