import ContextCore

/// A statement in which the constants of a request are still to be put.
struct StatementTemplate: Sendable {
    /// What is bound in one place.
    private enum Place {
        case binding(SQLBinding)
        case constant(ConstantMark, SQLType)
    }

    private let sql: String
    private let places: [Place]

    /// Makes a template of a statement that was compiled with marks.
    init(_ text: SQLText) {
        sql = text.sql
        places = text.bindings.map { binding in
            switch binding {
            case .value(let value, let type):
                ConstantMark(value).map { .constant($0, type) } ?? .binding(binding)
            case .list(let values, let type):
                values.first.flatMap { ConstantMark($0) }.map { .constant($0, type) } ?? .binding(binding)
            case .keys, .now, .place: .binding(binding)
            }
        }
    }

    /// The statement with the constants of one request.
    func text(_ constants: RequestConstants) -> SQLText {
        let bindings = places.map { place in
            switch place {
            case .binding(let binding): binding
            case .constant(let mark, let type): constants.binding(mark, type)
            }
        }
        return SQLText(sql, bindings)
    }
}

extension RequestConstants {
    /// What stands for a mark when the statement is run.
    fileprivate func binding(_ mark: ConstantMark, _ type: SQLType) -> SQLBinding {
        switch mark {
        case .value(let place): .value(values[place], type)
        case .end(let place):
            .value(ComparisonCompiler.end(ofTextsBeginningWith: values[place]) ?? .null, type)
        case .list(let place): .list(lists[place], type)
        }
    }
}
