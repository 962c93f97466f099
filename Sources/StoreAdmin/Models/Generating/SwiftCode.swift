/// A piece of Swift code, which is laid out as `swift format` would: on one line if it fits, else with one element per line.
indirect enum SwiftCode: Hashable {
    /// Code without a place for a line break.
    case text(String)
    /// A value after a text that ends in a colon or an equals sign.
    case labeled(String, SwiftCode)
    /// Code before an operator with its right operand.
    case operation(SwiftCode, String)
    /// Elements in parentheses, after a text such as `@Attribute(` and before the text that closes it.
    case call(String, [SwiftCode], String)
    /// Elements in brackets, after a text such as `.array([` and before the text that closes it.
    case array(String, [SwiftCode], String)

    /// The length of a line.
    static let width = 110

    /// The code on one line.
    var line: String {
        switch self {
        case .text(let text): text
        case .labeled(let label, let value): "\(label) \(value.line)"
        case .operation(let operand, let operation): "\(operand.line) \(operation)"
        case .call(let opening, let elements, let closing), .array(let opening, let elements, let closing):
            opening + elements.map(\.line).joined(separator: ", ") + closing
        }
    }

    /// Returns the code with a text before it.
    func prefixed(_ prefix: String) -> SwiftCode {
        switch self {
        case .text(let text): .text(prefix + text)
        case .labeled(let label, let value): .labeled(prefix + label, value)
        case .operation(let operand, let operation): .operation(operand.prefixed(prefix), operation)
        case .call(let opening, let elements, let closing): .call(prefix + opening, elements, closing)
        case .array(let opening, let elements, let closing): .array(prefix + opening, elements, closing)
        }
    }

    /// Whether the code fits on one line.
    ///
    /// - Parameters:
    ///   - indent: The number of spaces before it.
    ///   - trailing: The number of characters after it.
    func fits(indent: Int, trailing: Int = 0) -> Bool {
        indent + line.count + trailing <= Self.width
    }

    /// Returns the code in lines; see ``fits(indent:trailing:)``.
    func laidOut(indent: Int, trailing: Int = 0) -> String {
        let space = Self.spaces(indent)
        if fits(indent: indent, trailing: trailing) { return space + line }
        switch self {
        case .call(let opening, let elements, let closing) where !elements.isEmpty:
            let inner = Self.lines(of: elements, indent: indent + 4, closing: closing.count + trailing)
            let isOverlong = Self.lastLine(of: inner).count + closing.count + trailing > Self.width
            return space + opening + "\n" + inner + (isOverlong ? "\n" + space : "") + closing
        case .array(let opening, let elements, let closing) where !elements.isEmpty:
            let inner = Self.lines(of: elements, indent: indent + 4, closing: 1)
            let comma = elements.count == 1 ? "" : ","
            return space + opening + "\n" + inner + comma + "\n" + space + closing
        case .operation(let operand, let operation):
            return operand.laidOut(indent: indent, trailing: operation.count + 1 + trailing) + " " + operation
        case .labeled(let label, let value):
            switch value {
            case .text, .operation:
                return space + label + "\n" + value.laidOut(indent: indent + 4, trailing: trailing)
            case .labeled, .call, .array:
                return value.prefixed(label + " ").laidOut(indent: indent, trailing: trailing)
            }
        case .text, .call, .array: return space + line
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func lastLine(of text: String) -> Substring {
        text.split(separator: "\n").last ?? ""
    }

    /// - Parameter closing: The number of characters after the last element.
    private static func lines(of elements: [SwiftCode], indent: Int, closing: Int) -> String {
        elements.enumerated().map { index, element in
            element.laidOut(indent: indent, trailing: index == elements.count - 1 ? closing : 1)
        }.joined(separator: ",\n")
    }
}
