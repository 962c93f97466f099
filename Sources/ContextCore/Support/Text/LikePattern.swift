/// A pattern of `LIKE`: text, `?` for any Unicode scalar, `*` for any string, including the empty one.
///
/// A backslash escapes the next scalar.
package struct LikePattern: Hashable, Sendable {
    /// A piece of a pattern.
    package enum Piece: Hashable, Sendable {
        /// Literal UTF-8 bytes.
        case text([UInt8])
        /// Any scalar.
        case anyScalar
        /// Any string; never occurs twice in sequence.
        case anyText
    }

    /// The maximum length of a pattern in UTF-8 bytes.
    package static let maximumLength = 1000

    /// The pieces in order.
    package let pieces: [Piece]

    /// Parses a pattern.
    package init(_ pattern: String) {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        var isEscaped = false
        func flush() {
            if !text.isEmpty { pieces.append(.text(text)) }
            text = []
        }
        for byte in pattern.utf8 {
            if isEscaped {
                text.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "?") {
                flush()
                pieces.append(.anyScalar)
            } else if byte == UInt8(ascii: "*") {
                flush()
                if pieces.last != .anyText { pieces.append(.anyText) }
            } else {
                text.append(byte)
            }
        }
        if isEscaped { text.append(UInt8(ascii: "\\")) }
        flush()
        self.pieces = pieces
    }
}

extension LikePattern {
    /// The text of the pattern; parsing it makes the same pattern.
    package var text: String {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .anyScalar: bytes.append(UInt8(ascii: "?"))
            case .anyText: bytes.append(UInt8(ascii: "*"))
            case .text(let literal):
                for byte in literal {
                    if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\\") {
                        bytes.append(UInt8(ascii: "\\"))
                    }
                    bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - Matching

extension LikePattern {
    /// Whether the pattern matches a whole string.
    package func matches(_ text: String) -> Bool {
        text.withBytes(matches)
    }

    /// Whether the pattern matches a whole string.
    ///
    /// It backtracks only to the last `*`, so it takes O(text length × pattern length) time.
    package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var piece = 0
        var position = 0
        var retry: (piece: Int, position: Int)?
        while true {
            if piece < pieces.count, pieces[piece] == .anyText {
                piece += 1
                retry = (piece, position)
            } else if piece == pieces.count, position == text.count {
                return true
            } else if piece < pieces.count, let next = matchEnd(pieces[piece], text, position) {
                piece += 1
                position = next
            } else if let last = retry, last.position < text.count {
                retry = (last.piece, Self.scalarEnd(text, last.position))
                piece = last.piece
                position = Self.scalarEnd(text, last.position)
            } else {
                return false
            }
        }
    }

    /// Returns the end of a piece's match at a position; nil if it doesn't match there.
    private func matchEnd(_ piece: Piece, _ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
        switch piece {
        case .text(let bytes):
            guard position + bytes.count <= text.count else { return nil }
            for (offset, byte) in bytes.enumerated() where text[position + offset] != byte { return nil }
            return position + bytes.count
        case .anyScalar: return position < text.count ? Self.scalarEnd(text, position) : nil
        case .anyText: return position
        }
    }

    /// Returns the position after the scalar at a position.
    private static func scalarEnd(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
        var end = position + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
