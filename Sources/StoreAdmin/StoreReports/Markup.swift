/// HTML in which tags and texts are separate until it is written, so that no text can become a tag.
///
/// A literal is markup. An interpolated `String` is text, which is escaped; an interpolated `Markup` stays markup. So `"<td>\(name)</td>"` is
/// a cell with any name, and can be interpolated into the markup of a row.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Piece: Sendable {
        case tags(String)
        case text(String)
    }

    private var pieces: [Piece]

    init(stringLiteral literal: String) { pieces = [.tags(literal)] }

    init(stringInterpolation interpolation: StringInterpolation) { pieces = interpolation.pieces }

    /// Creates markup from a text that already is markup, in which everything that isn't a tag is escaped.
    init(escapedText: String) { pieces = [.tags(escapedText)] }

    /// The parts of an interpolated literal.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * interpolationCount + 1)
        }

        mutating func appendLiteral(_ literal: String) { pieces.append(.tags(literal)) }
        mutating func appendInterpolation(_ text: String) { pieces.append(.text(text)) }
        mutating func appendInterpolation(_ number: Int) { pieces.append(.tags(String(number))) }
        mutating func appendInterpolation(_ markup: Markup) { pieces += markup.pieces }
    }

    static func += (first: inout Markup, second: Markup) { first.pieces += second.pieces }

    static let empty: Markup = ""

    /// Returns the markup as a document.
    ///
    /// - Parameter change: Changes each text before it is escaped, for example to remove secrets.
    func document(_ change: (String) -> String) -> String {
        var document = ""
        for piece in pieces {
            switch piece {
            case .tags(let tags): document += tags
            case .text(let text): document += MarkupText.escaped(change(text))
            }
        }
        return document
    }
}

extension Sequence<Markup> {
    /// Returns the elements one after another.
    func joined() -> Markup { reduce(into: .empty) { $0 += $1 } }
}
