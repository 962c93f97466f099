/// A regular expression as a machine with many states at a time, after Ken Thompson.
///
/// It looks at each scalar of a text once, so no expression and no text can make it take long.
final class TextProgram: Sendable {
    /// How many states a machine may have.
    private static let mostStates = 2000

    private enum State {
        /// Goes on to the next state when the scalar is of the set.
        case scalar(ScalarSet)
        /// Goes on to two states at once.
        case fork(Int, Int)
        /// Goes on elsewhere.
        case jump(Int)
        /// The text fits if it ends here.
        case end
    }

    private let states: [State]

    init(_ root: TextExpression.Node) throws(TextExpressionError) {
        var builder = Builder()
        try builder.add(root)
        builder.states.append(.end)
        states = builder.states
    }

    /// Whether a text fits from beginning to end.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var current = StateList(capacity: states.count)
        var following = StateList(capacity: states.count)
        enter(0, &current)
        var position = 0
        while position < text.count, !current.members.isEmpty {
            let (scalar, length) = UTF8Scalar.decode(text, at: position)
            position += length
            following.removeAll()
            for member in current.members {
                if case .scalar(let set) = states[member], set.contains(scalar) {
                    enter(member + 1, &following)
                }
            }
            swap(&current, &following)
        }
        return position >= text.count && current.contains(states.count - 1)
    }

    /// Adds a state, and those that it leads to without a scalar.
    private func enter(_ start: Int, _ list: inout StateList) {
        var waiting = [start]
        while let state = waiting.popLast() {
            guard list.insert(state) else { continue }
            switch states[state] {
            case .fork(let first, let second):
                waiting.append(second)
                waiting.append(first)
            case .jump(let target): waiting.append(target)
            case .scalar, .end: break
            }
        }
    }
}

/// A set of states that remembers the order they came in.
private struct StateList {
    private(set) var members: [Int] = []
    private var places: [Int]

    init(capacity: Int) {
        places = Array(repeating: 0, count: capacity)
        members.reserveCapacity(capacity)
    }

    func contains(_ state: Int) -> Bool {
        let place = places[state]
        return place < members.count && members[place] == state
    }

    mutating func insert(_ state: Int) -> Bool {
        if contains(state) { return false }
        places[state] = members.count
        members.append(state)
        return true
    }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
    }
}

// MARK: - Building

extension TextProgram {
    /// Writes the states of an expression, one piece after the other.
    private struct Builder {
        var states: [State] = []

        mutating func add(_ node: TextExpression.Node) throws(TextExpressionError) {
            guard states.count < TextProgram.mostStates else {
                throw TextExpressionError("it asks for too many repetitions within each other")
            }
            switch node {
            case .scalar(let set): states.append(.scalar(set))
            case .sequence(let pieces): for piece in pieces { try add(piece) }
            case .alternatives(let branches): try add(branches[...])
            case .repeated(let piece, least: let least, most: let most):
                try add(piece, times: least)
                if let most { try addOptional(piece, count: most - least) } else { try addLoop(piece) }
            }
        }

        private mutating func add(
            _ piece: TextExpression.Node, times count: Int
        ) throws(TextExpressionError) {
            for _ in 0..<count {
                let before = states.count
                try add(piece)
                // What fits the empty text alone does so however often it is repeated.
                if states.count == before { break }
            }
        }

        private mutating func add(
            _ branches: ArraySlice<TextExpression.Node>
        ) throws(TextExpressionError) {
            var exits: [Int] = []
            for branch in branches.dropLast() {
                let fork = states.count
                states.append(.end)
                try add(branch)
                exits.append(states.count)
                states.append(.end)
                states[fork] = .fork(fork + 1, states.count)
            }
            if let last = branches.last { try add(last) }
            for exit in exits { states[exit] = .jump(states.count) }
        }

        private mutating func addLoop(_ piece: TextExpression.Node) throws(TextExpressionError) {
            let fork = states.count
            states.append(.end)
            try add(piece)
            states.append(.jump(fork))
            states[fork] = .fork(fork + 1, states.count)
        }

        private mutating func addOptional(
            _ piece: TextExpression.Node, count: Int
        ) throws(TextExpressionError) {
            var forks: [Int] = []
            for _ in 0..<count {
                forks.append(states.count)
                states.append(.end)
                try add(piece)
            }
            for fork in forks { states[fork] = .fork(fork + 1, states.count) }
        }
    }
}
