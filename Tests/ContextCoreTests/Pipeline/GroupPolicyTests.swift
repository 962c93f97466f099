import Testing

@testable import ContextCore

struct GroupPolicyTests {
    private func policy(work: Duration, commit: Duration) -> GroupPolicy {
        var policy = GroupPolicy(isOn: true)
        for _ in 0..<50 {
            policy.noteWork(work)
            policy.noteCommit(commit)
        }
        return policy
    }

    @Test func `Nobody joins before it is known what a commit costs`() {
        var policy = GroupPolicy(isOn: true)
        policy.noteWork(.microseconds(1))
        #expect(!policy.mayJoin(1, waited: .zero))
    }

    @Test func `Writes join where a commit costs more than they do`() {
        #expect(policy(work: .microseconds(100), commit: .milliseconds(5)).mayJoin(1, waited: .zero))
        #expect(!policy(work: .milliseconds(5), commit: .microseconds(100)).mayJoin(1, waited: .zero))
    }

    @Test func `The first one waits for no more than a few commits' time`() {
        let policy = policy(work: .milliseconds(1), commit: .milliseconds(5))
        #expect(policy.mayJoin(10, waited: .milliseconds(10)))
        #expect(!policy.mayJoin(10, waited: .milliseconds(20)))
        #expect(!policy.mayJoin(GroupPolicy.mostMembers, waited: .zero))
    }

    @Test func `It follows what work costs lately`() {
        var policy = policy(work: .microseconds(100), commit: .milliseconds(1))
        for _ in 0..<30 { policy.noteWork(.milliseconds(20)) }
        #expect(!policy.mayJoin(1, waited: .zero))
    }

    @Test func `It can be switched off`() {
        var policy = GroupPolicy(isOn: false)
        policy.noteWork(.zero)
        policy.noteCommit(.seconds(1))
        #expect(!policy.mayJoin(1, waited: .zero))
    }
}
