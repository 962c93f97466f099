/// A key that the program handles.
enum Key: Equatable {
    case up, down, left, right, enter, space, more, fewer, quit
    case discipline, store

    /// Decodes the bytes of a terminal; ignores other keys.
    static func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        var bytes = Array(bytes)[...]
        while let byte = bytes.popFirst() {
            if byte == 0x1B, let next = bytes.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") {
                bytes.removeFirst()
                if let key = arrow(&bytes) { keys.append(key) }
            } else if let key = plain(byte) {
                keys.append(key)
            }
        }
        return keys
    }

    /// Decodes the parameters and the letter after ESC [ or ESC O.
    private static func arrow(_ bytes: inout ArraySlice<UInt8>) -> Key? {
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "C"): return .right
            case UInt8(ascii: "D"): return .left
            case 0x40...0x7E: return nil
            default: continue
            }
        }
        return nil
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "k"): .up
        case UInt8(ascii: "j"): .down
        case UInt8(ascii: "h"), 0x1B, 0x7F: .left
        case UInt8(ascii: "l"): .right
        case 0x0A, 0x0D: .enter
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "+"), UInt8(ascii: "="): .more
        case UInt8(ascii: "-"): .fewer
        case UInt8(ascii: "d"): .discipline
        case UInt8(ascii: "b"): .store
        // 3 and 4 are Control-C and Control-D, which a raw terminal sends as bytes.
        case UInt8(ascii: "q"), 3, 4: .quit
        default: nil
        }
    }
}
