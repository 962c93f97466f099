import ContextCore

/// The Swift source of a validation rule.
struct ValidationRuleSource {
    /// The option of `@Attribute`; nil if Swift's types can't represent its bounds.
    let code: SwiftCode?

    init(_ rule: ValidationRule, of type: AttributeType, _ types: GeneratedTypes) {
        let values = SwiftValue(types: types)
        switch rule {
        case .range(let minimum, let maximum):
            let lower = minimum.map { values.bound($0, of: type) }
            let upper = maximum.map { values.bound($0, of: type) }
            code =
                lower == .some(nil) || upper == .some(nil)
                ? nil : Self.range("range", lower ?? nil, upper ?? nil)
        case .length(let minimum, let maximum):
            code = Self.range("length", minimum.map { "\($0)" }, maximum.map { "\($0)" })
        case .pattern(let pattern):
            code = .call(".pattern(", [.text(SwiftText.literal(pattern))], ")")
        }
    }

    private static func range(_ name: String, _ lower: String?, _ upper: String?) -> SwiftCode {
        // The minus sign would belong to the operator.
        let written = upper.map { $0.hasPrefix("-") ? "(\($0))" : $0 }
        return .call(".\(name)(", [.text("\(lower ?? "")...\(written ?? "")")], ")")
    }
}
