public import Foundation

/// Reads the output of a process line by line.
public struct LineReader {
    private let file: FileHandle
    private var buffer = Data()

    /// Creates a reader for the data that has not been read yet.
    public init(_ file: FileHandle) { self.file = file }

    /// Returns the next line; nil if the output ends without one.
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

    /// Returns all data that has not been read.
    public mutating func rest() -> String {
        buffer += file.readDataToEndOfFile()
        defer { buffer = Data() }
        return String(decoding: buffer, as: UTF8.self)
    }
}
