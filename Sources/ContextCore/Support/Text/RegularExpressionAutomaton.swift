/// A regular expression compiled to a nondeterministic automaton (Thompson's construction).
///
/// Matching reads each scalar once, in time linear in the length of the text, so there is no catastrophic backtracking.
final class RegularExpressionAutomaton: Sendable {
    /// The maximum number of states.
    private static let maximumStates = 2000

    private enum State {
        /// Consumes a scalar of the set and goes to the next state.
        case scalar(ScalarSet)
        /// Goes to both states without consuming a scalar.
        case fork(Int, Int)
        /// Goes to another state without consuming a scalar.
        case jump(Int)
        /// The accepting state.
        case end
    }

    private let states: [State]

    init(_ root: RegularExpression.Node) throws(RegularExpressionError) {
        var builder = Builder()
        try builder.add(root)
        builder.states.append(.end)
        states = builder.states
    }

    /// Whether the expression matches a whole string.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var current = StateList(capacity: states.count)
        var following = StateList(capacity: states.count)
        addReachableStates(0, &current)
        var position = 0
        while position < text.count, !current.members.isEmpty {
            let (scalar, length) = UTF8Scalar.decode(text, at: position)
            position += length
            following.removeAll()
            for member in current.members {
                if case .scalar(let set) = states[member], set.contains(scalar) {
                    addReachableStates(member + 1, &following)
                }
            }
            swap(&current, &following)
        }
        return position >= text.count && current.contains(states.count - 1)
    }

    /// Adds a state and the states that it reaches without consuming a scalar.
    private func addReachableStates(_ start: Int, _ list: inout StateList) {
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

/// An insertion-ordered set of states.
private struct StateList {
    private(set) var members: [Int] = []
    private var positions: [Int]

    init(capacity: Int) {
        positions = Array(repeating: 0, count: capacity)
        members.reserveCapacity(capacity)
    }

    func contains(_ state: Int) -> Bool {
        let place = positions[state]
        return place < members.count && members[place] == state
    }

    mutating func insert(_ state: Int) -> Bool {
        if contains(state) { return false }
        positions[state] = members.count
        members.append(state)
        return true
    }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
    }
}

// MARK: - Building

extension RegularExpressionAutomaton {
    /// Compiles the syntax tree to states.
    private struct Builder {
        var states: [State] = []

        mutating func add(_ node: RegularExpression.Node) throws(RegularExpressionError) {
            guard states.count < RegularExpressionAutomaton.maximumStates else {
                throw RegularExpressionError("its repetitions are too large")
            }
            switch node {
            case .scalar(let set): states.append(.scalar(set))
            case .sequence(let pieces): for piece in pieces { try add(piece) }
            case .alternatives(let branches): try add(branches[...])
            case .repeated(let piece, minimum: let minimum, maximum: let maximum):
                try add(piece, times: minimum)
                if let maximum {
                    try addOptional(piece, count: maximum - minimum)
                } else {
                    try addLoop(piece)
                }
            }
        }

        private mutating func add(
            _ piece: RegularExpression.Node, times count: Int
        ) throws(RegularExpressionError) {
            for _ in 0..<count {
                let before = states.count
                try add(piece)
                // A piece without states matches only the empty string, so repeating it changes nothing.
                if states.count == before { break }
            }
        }

        private mutating func add(
            _ branches: ArraySlice<RegularExpression.Node>
        ) throws(RegularExpressionError) {
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

        private mutating func addLoop(_ piece: RegularExpression.Node) throws(RegularExpressionError) {
            let fork = states.count
            states.append(.end)
            try add(piece)
            states.append(.jump(fork))
            states[fork] = .fork(fork + 1, states.count)
        }

        private mutating func addOptional(
            _ piece: RegularExpression.Node, count: Int
        ) throws(RegularExpressionError) {
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
