/// A pattern of `LIKE`: text, `?` for any one Unicode scalar, `*` for any text, even none.
///
/// A backslash takes the scalar after it literally.
package struct LikePattern: Hashable, Sendable {
    /// One piece of a pattern.
    package enum Piece: Hashable, Sendable {
        /// These UTF-8 bytes.
        case text([UInt8])
        /// Any one scalar.
        case anyScalar
        /// Any text; never twice in a row.
        case anyText
    }

    /// The longest pattern, in UTF-8 bytes, that is taken.
    package static let longest = 1000

    /// The pieces, from first to last.
    package let pieces: [Piece]

    /// Takes a pattern apart.
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
    /// The pattern as text of which the same pattern can be made.
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
    /// Whether a text fits the pattern from beginning to end.
    package func matches(_ text: String) -> Bool {
        text.withBytes(matches)
    }

    /// Whether a text fits the pattern from beginning to end.
    ///
    /// Goes back to the last `*` only, so it takes at most text length × pattern length steps.
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
            } else if piece < pieces.count, let next = step(pieces[piece], text, position) {
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

    /// Where a piece that fits at a position ends.
    private func step(_ piece: Piece, _ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
        switch piece {
        case .text(let bytes):
            guard position + bytes.count <= text.count else { return nil }
            for (offset, byte) in bytes.enumerated() where text[position + offset] != byte { return nil }
            return position + bytes.count
        case .anyScalar: return position < text.count ? Self.scalarEnd(text, position) : nil
        case .anyText: return position
        }
    }

    /// The position after the scalar at a position.
    private static func scalarEnd(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
        var end = position + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
