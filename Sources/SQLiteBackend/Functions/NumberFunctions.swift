#if SQLite
import ContextCore

/// The functions of numbers and dates, with the results of the in-memory evaluator.
enum NumberFunctions {
    static var all: [RegisteredFunction] { arithmetic + written + time + conversions }

    private static var arithmetic: [RegisteredFunction] {
        FunctionSpelling.Number.allCases.flatMap { number in
            ArithmeticOperator.allCases.map { sign in
                RegisteredFunction(FunctionSpelling.arithmetic(sign, number), arity: 2) { call in
                    call.setResult(
                        ValueArithmetic.apply(sign, call.number(0, number), call.number(1, number)))
                }
            }
        }
    }

    private static var written: [RegisteredFunction] {
        let functions: [FetchFunction] = [.negate, .abs, .ceiling, .floor, .round]
        let unary = FunctionSpelling.Number.allCases.flatMap { number in
            functions.map { function in
                RegisteredFunction(FunctionSpelling.fetchFunction(function, number), arity: 1) { call in
                    call.setResult(ValueFunctions.apply(function, [call.number(0, number)]))
                }
            }
        }
        return unary + [
            RegisteredFunction(FunctionSpelling.fetchFunction(.modulo), arity: 2) { call in
                call.setResult(
                    ValueFunctions.apply(.modulo, [call.number(0, .integer), call.number(1, .integer)]))
            }
        ]
    }

    // MARK: Time

    private static var time: [RegisteredFunction] {
        let parts: [FetchFunction] = [.year, .month, .day, .hour, .minute, .second, .weekday]
        let shifts: [ArithmeticOperator] = [.add, .subtract]
        return parts.map { part in
            RegisteredFunction(FunctionSpelling.fetchFunction(part), arity: 1) { call in
                call.setResult(ValueFunctions.apply(part, [date(call, 0)]))
            }
        }
            + shifts.map { sign in
                RegisteredFunction(FunctionSpelling.shift(sign), arity: 2) { call in
                    let seconds = call.number(1, call.isInteger(1) ? .integer : .double)
                    call.setResult(ValueArithmetic.apply(sign, date(call, 0), seconds))
                }
            } + [
                RegisteredFunction(FunctionSpelling.interval, arity: 2) { call in
                    call.setResult(ValueArithmetic.apply(.subtract, date(call, 0), date(call, 1)))
                }
            ]
    }

    private static func date(_ call: FunctionCall, _ index: Int) -> StoredValue {
        call.isNull(index) ? .null : .timestamp(microseconds: call.integer(index))
    }

    // MARK: Conversions

    private static var conversions: [RegisteredFunction] {
        [
            RegisteredFunction(FunctionSpelling.scaledDecimal, arity: 2) { call in
                if call.isNull(0) { return call.setResult(.null) }
                let scale = Int(call.integer(1))
                call.setResult(.decimal(ScaledDecimal.number(call.integer(0), scale: scale)))
            },
            RegisteredFunction(FunctionSpelling.listedDouble, arity: 1) { call in
                call.setResult(.double(Double(bitPattern: UInt64(bitPattern: call.integer(0)))))
            },
        ]
    }
}
#endif
