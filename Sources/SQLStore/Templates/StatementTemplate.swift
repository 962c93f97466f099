import ContextCore

/// A compiled statement with placeholders for the constants of a request.
struct StatementTemplate: Sendable {
    /// The binding of one parameter.
    private enum Parameter {
        case binding(SQLBinding)
        case constant(ConstantPlaceholder, SQLType)
    }

    private let sql: String
    private let parameters: [Parameter]

    /// Creates a template from a statement that was compiled with placeholders.
    init(_ text: SQLText) {
        sql = text.sql
        parameters = text.bindings.map { binding in
            switch binding {
            case .value(let value, let type):
                ConstantPlaceholder(value).map { .constant($0, type) } ?? .binding(binding)
            case .list(let values, let type):
                values.first.flatMap { ConstantPlaceholder($0) }.map { .constant($0, type) }
                    ?? .binding(binding)
            case .keys, .now, .parameter: .binding(binding)
            }
        }
    }

    /// Returns the statement with the constants of one request.
    func text(_ constants: RequestConstants) -> SQLText {
        let bindings = parameters.map { place in
            switch place {
            case .binding(let binding): binding
            case .constant(let placeholder, let type): constants.binding(placeholder, type)
            }
        }
        return SQLText(sql, bindings)
    }
}

extension RequestConstants {
    /// Returns the binding that replaces a placeholder.
    fileprivate func binding(_ placeholder: ConstantPlaceholder, _ type: SQLType) -> SQLBinding {
        switch placeholder {
        case .value(let place): .value(values[place], type)
        case .end(let place):
            .value(ComparisonCompiler.end(ofTextsBeginningWith: values[place]) ?? .null, type)
        case .list(let place): .list(lists[place], type)
        }
    }
}
