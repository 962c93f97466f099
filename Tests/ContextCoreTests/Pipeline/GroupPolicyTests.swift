import Testing

@testable import ContextCore

struct GroupPolicyTests {
    private func policy(work: Duration, commit: Duration) -> GroupPolicy {
        var policy = GroupPolicy(isOn: true)
        for _ in 0..<50 {
            policy.recordWork(work, of: "quick")
            policy.recordCommit(commit)
        }
        return policy
    }

    @Test func `No write joins before the cost of a commit is known`() {
        var policy = GroupPolicy(isOn: true)
        policy.recordWork(.microseconds(1), of: "quick")
        #expect(!policy.mayJoin(1, waited: .zero, "quick"))
    }

    @Test func `Quick writes join`() {
        #expect(policy(work: .microseconds(100), commit: .milliseconds(5)).mayJoin(1, waited: .zero, "quick"))
        #expect(
            policy(work: .microseconds(500), commit: .microseconds(100)).mayJoin(1, waited: .zero, "quick"))
        #expect(
            !policy(work: .milliseconds(5), commit: .microseconds(100)).mayJoin(1, waited: .zero, "quick"))
        #expect(policy(work: .microseconds(100), commit: .milliseconds(5)).mayJoin(1, waited: .zero, "new"))
    }

    @Test func `If commits are cheap, the first write waits briefly`() {
        let policy = policy(work: .microseconds(500), commit: .microseconds(100))
        #expect(policy.mayJoin(10, waited: .milliseconds(9), "quick"))
        #expect(!policy.mayJoin(10, waited: .milliseconds(10), "quick"))
    }

    @Test func `The first write waits at most for the duration of a few commits`() {
        let policy = policy(work: .milliseconds(1), commit: .milliseconds(5))
        #expect(policy.mayJoin(10, waited: .milliseconds(10), "quick"))
        #expect(!policy.mayJoin(10, waited: .milliseconds(20), "quick"))
        #expect(!policy.mayJoin(GroupPolicy.memberLimit, waited: .zero, "quick"))
    }

    @Test func `A slow write doesn't join until it is quick`() {
        var policy = policy(work: .microseconds(100), commit: .milliseconds(1))
        policy.recordWork(.seconds(10), of: "import")
        #expect(!policy.mayJoin(1, waited: .zero, "import"))
        #expect(policy.mayJoin(1, waited: .zero, "quick"))
        for _ in 0..<200 { policy.recordWork(.microseconds(10), of: "import") }
        #expect(policy.mayJoin(1, waited: .zero, "import"))
    }

    @Test func `A write that waits for locks doesn't join`() {
        var policy = policy(work: .microseconds(100), commit: .milliseconds(5))
        #expect(policy.mayJoin(1, waited: .zero, "take"))
        policy.recordLockWait(of: "take")
        #expect(!policy.mayJoin(1, waited: .zero, "take"))
        #expect(policy.mayJoin(1, waited: .zero, "quick"))
    }

    @Test func `Group commits can be disabled`() {
        var policy = GroupPolicy(isOn: false)
        policy.recordWork(.zero, of: "quick")
        policy.recordCommit(.seconds(1))
        #expect(!policy.mayJoin(1, waited: .zero, "quick"))
    }
}
