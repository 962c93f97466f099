import ContextCore
import Foundation

/// The JSON document of a store's activity.
struct ActivityDocument {
    let store: AdministeredStore
    let activity: StoreActivity

    var members: [String: JSONValue] {
        [
            "store": store.json, "time": .date(activity.time), "bytes": .integer(activity.bytes),
            "sessions": .array(activity.sessions.map(session)), "waits": .array(activity.waits.map(wait)),
            "obstacles": .array(activity.obstacles.map(obstacle)),
            "replicas": .array(activity.replicas.map(replica)),
            "connections": activity.connections.map {
                .object(["used": .int($0.used), "limit": .int($0.limit)])
            } ?? .null,
            "statements": .array(activity.slowStatements.map(statement)),
            "log": activity.log.map {
                .object([
                    "bytes": .integer($0.bytes), "pages": .integer($0.pages),
                    "uncopiedPages": .integer($0.uncopiedPages),
                ])
            } ?? .null,
            "pages": activity.pages.map {
                .object(["size": .integer($0.size), "count": .integer($0.count), "free": .integer($0.free)])
            } ?? .null,
            "writing": activity.isWriting.map(JSONValue.bool) ?? .null,
            "limits": .array(activity.limits.map(JSONValue.string)),
        ]
    }

    /// The document as one value, as the format `json` prints it.
    var value: JSONValue {
        .object(members.merging(["schema": .string("storectl.activity/1"), "ok": .bool(true)]) { $1 })
    }

    private func session(_ session: StoreActivity.Session) -> JSONValue {
        .object([
            "pid": .integer(session.process), "program": .text(session.program), "user": .text(session.user),
            "address": .text(session.address), "state": .text(session.state), "since": .date(session.since),
            "wait": .text(session.wait), "blockers": .array(session.blockers.map { .integer($0) }),
            "transactionStart": .date(session.transactionStart),
            "transactionMilliseconds": session.transactionStart.map {
                .int(Int((activity.time.timeIntervalSince($0) * 1000).rounded()))
            } ?? .null,
            "usesStore": .bool(session.usesStore), "own": .bool(session.isOwn),
            "statement": .text(session.statement),
        ])
    }

    private func wait(_ wait: StoreActivity.LockWait) -> JSONValue {
        .object([
            "pid": .integer(wait.process), "target": .string(wait.target), "mode": .string(wait.mode),
            "since": .date(wait.since), "blockers": .array(wait.blockers.map { .integer($0) }),
        ])
    }

    private func obstacle(_ obstacle: StoreActivity.Obstacle) -> JSONValue {
        .object([
            "work": .string(obstacle.work.rawValue), "kind": .string(obstacle.kind.rawValue),
            "pid": .integer(obstacle.process), "name": .text(obstacle.name), "since": .date(obstacle.since),
            "distance": .integer(obstacle.distance),
        ])
    }

    private func replica(_ replica: StoreActivity.Replica) -> JSONValue {
        .object([
            "name": .string(replica.name), "address": .text(replica.address), "state": .text(replica.state),
            "synchrony": .text(replica.synchrony), "missingBytes": .integer(replica.missingBytes),
            "unappliedBytes": .integer(replica.unappliedBytes),
            "lagMilliseconds": replica.lag.map { .int(Quantity.milliseconds($0)) } ?? .null,
        ])
    }

    private func statement(_ cost: StoreActivity.StatementCost) -> JSONValue {
        .object([
            "statement": .text(cost.statement), "calls": .integer(cost.calls),
            "totalMilliseconds": .int(Quantity.milliseconds(cost.total)),
            "meanMicroseconds": .int(Int(cost.mean / .microseconds(1))),
        ])
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    fileprivate static func integer(_ number: Int64?) -> JSONValue { number.map { .int(Int($0)) } ?? .null }
    fileprivate static func date(_ date: Date?) -> JSONValue {
        date.map { .string(CivilTime(date: $0).text) } ?? .null
    }
}
