extension ResolvedExpression {
    /// Whether the value depends on the time of the request.
    package var usesCurrentTime: Bool {
        switch node {
        case .constant, .property: false
        case .function(.written(.now), _): true
        case .function(_, let arguments): arguments.contains(where: \.usesCurrentTime)
        case .arithmetic(_, let left, let right): left.usesCurrentTime || right.usesCurrentTime
        case .conditional(let test, then: let first, else: let second):
            test.usesCurrentTime || first.usesCurrentTime || second.usesCurrentTime
        case .aggregate(let aggregate):
            aggregate.filter?.usesCurrentTime == true || aggregate.value?.usesCurrentTime == true
        }
    }
}

extension ResolvedPredicate {
    fileprivate var usesCurrentTime: Bool {
        switch self {
        case .constant, .isEntity: false
        case .compare(let left, _, let right), .text(let left, _, let right):
            left.usesCurrentTime || right.usesCurrentTime
        case .like(let value, _), .matches(let value, _), .isNull(let value), .isMember(let value, of: _):
            value.usesCurrentTime
        case .exists(_, where: let inner), .truth(let inner, is: _), .not(let inner): inner.usesCurrentTime
        case .and(let members), .or(let members): members.contains(where: \.usesCurrentTime)
        }
    }
}
