#if SQLite
import CSQLite
import ContextCore

/// A sum or average of the rows of a group, added in the order of the in-memory evaluator.
///
/// If the order affects the result, all values are collected first. Each value comes with its sort keys.
final class RegisteredAggregate: Sendable {
    private let name: String
    private let arity: Int32
    private let function: AggregateFunction
    private let result: ResolvedType
    private let number: @Sendable (FunctionCall) -> StoredValue

    init(
        _ name: String, arity: Int32, _ function: AggregateFunction, _ result: ResolvedType,
        _ number: @escaping @Sendable (FunctionCall) -> StoredValue
    ) {
        self.name = name
        self.arity = arity
        self.function = function
        self.result = result
        self.number = number
    }

    static var all: [RegisteredAggregate] {
        [AggregateFunction.sum, .average].flatMap { function in
            FunctionSpelling.Number.allCases.map { number in
                RegisteredAggregate(
                    FunctionSpelling.aggregate(function, number), arity: number == .integer ? 1 : -1,
                    function,
                    type(of: number)
                ) { $0.number(0, number) }
            } + [
                RegisteredAggregate(FunctionSpelling.scaledAggregate(function), arity: 2, function, .decimal)
                {
                    $0.isNull(0)
                        ? .null : .decimal(ScaledDecimal.number($0.integer(0), scale: Int($0.integer(1))))
                }
            ]
        }
    }

    private static func type(of number: FunctionSpelling.Number) -> ResolvedType {
        switch number {
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        }
    }

    /// Registers the aggregate with a connection and returns SQLite's result code.
    func register(on connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection, name, arity, RegisteredFunction.flags, Unmanaged.passUnretained(self).toOpaque(), nil,
            { context, count, arguments in
                guard let context, let aggregate = RegisteredAggregate.aggregate(of: context) else { return }
                aggregate.step(FunctionCall(context, count, arguments))
            },
            { context in
                guard let context, let aggregate = RegisteredAggregate.aggregate(of: context) else { return }
                aggregate.finish(context)
            }, nil)
    }

    private static func aggregate(of context: OpaquePointer) -> RegisteredAggregate? {
        // The registered object, which is never deallocated.
        sqlite3_user_data(context).map { Unmanaged<RegisteredAggregate>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Rows

    private func step(_ call: FunctionCall) {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let memory = sqlite3_aggregate_context(call.context, size) else {
            return sqlite3_result_error_nomem(call.context)
        }
        // SQLite gives memory for one pointer, which is null at first.
        let place = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        let group: AggregatedGroup
        if let known = place.pointee {
            // Retained below when the group began, until finish releases it.
            group = Unmanaged<AggregatedGroup>.fromOpaque(known).takeUnretainedValue()
        } else {
            group = AggregatedGroup()
            place.pointee = Unmanaged.passRetained(group).toOpaque()
        }
        let value = number(call)
        if value.isNull { return }
        group.add(value, sortedBy: arity < 0 ? (1..<call.count).map { call.integer($0) } : [])
    }

    private func finish(_ context: OpaquePointer) {
        var accumulator = AggregateAccumulator(function, type: function == .average ? .double : result)
        let memory = sqlite3_aggregate_context(context, 0)
        // The memory for one pointer that step requested; nil if there was no row.
        let place = memory?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let group = place?.pointee {
            place?.pointee = nil
            // Retained by step, and released once: the pointer is null now.
            Unmanaged<AggregatedGroup>.fromOpaque(group).takeRetainedValue().addValues(into: &accumulator)
        }
        FunctionCall(context, 0, nil).setResult(accumulator.result)
    }
}

/// The values of one group.
private final class AggregatedGroup {
    private var values: [StoredValue] = []
    private var keys: [Int64] = []
    private var width = 0
    private var isSorted = true

    func add(_ value: StoredValue, sortedBy key: [Int64]) {
        width = key.count
        if isSorted, !values.isEmpty, keys.suffix(width).lexicographicallyPrecedes(key) == false, width > 0 {
            isSorted = false
        }
        values.append(value)
        keys += key
    }

    func addValues(into accumulator: inout AggregateAccumulator) {
        guard !isSorted else {
            for value in values { accumulator.add(value) }
            return
        }
        let order = values.indices.sorted { first, second in
            let (a, b) = (
                keys[first * width..<(first + 1) * width], keys[second * width..<(second + 1) * width]
            )
            return a == b ? first < second : a.lexicographicallyPrecedes(b)
        }
        for index in order { accumulator.add(values[index]) }
    }
}
#endif
