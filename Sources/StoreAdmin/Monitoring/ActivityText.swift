import ContextCore
import Foundation

/// A store's activity as text for people.
struct ActivityText {
    let store: AdministeredStore
    let activity: StoreActivity
    let style: TextStyle

    var text: String {
        let tables = [sessions, waits, obstacles, replicas, statements].compactMap(\.self)
        return ([heading] + tables + [limits]).joined(separator: "\n")
    }

    private var heading: String {
        var facts = [style.bold(store.title)]
        if let bytes = activity.bytes { facts.append(Quantity.bytes(bytes)) }
        if let connections = activity.connections {
            facts.append("\(connections.used) of \(connections.limit) connections")
        }
        if let pages = activity.pages {
            facts.append("\(Self.count(pages.free)) of \(Self.count(pages.count)) pages free")
        }
        if let log = activity.log {
            let uncopied = log.uncopiedPages.map { ", \(Self.count($0)) pages not checkpointed" } ?? ""
            facts.append("log of \(Quantity.bytes(log.bytes))\(uncopied)")
        }
        if activity.isWriting == true { facts.append(style.yellow("a transaction is being written")) }
        return facts.joined(separator: ", ") + "\n"
    }

    private var sessions: String? {
        if activity.sessions.isEmpty { return style.dim("no other sessions") + "\n" }
        var table = TextTable([
            .init(name: "pid", isRightAligned: true), .init(name: "program"), .init(name: "user"),
            .init(name: "state"), .init(name: "for", isRightAligned: true),
            .init(name: "transaction", isRightAligned: true), .init(name: "waits for"), .init(name: "store"),
            .init(name: "statement"),
        ])
        for session in activity.sessions {
            let blockers = Self.names(ofBlockers: session.blockers)
            table.append([
                String(session.process), session.program ?? "", session.user ?? "", session.state ?? "?",
                age(session.since), age(session.transactionStart),
                [session.wait ?? "", blockers.isEmpty ? "" : "held by \(blockers)"].filter { !$0.isEmpty }
                    .joined(separator: ", "),
                session.usesStore ? "in use" : "",
                session.statement?.replacing("\n", with: " ") ?? "",
            ])
        }
        return table.text(style)
    }

    private var waits: String? {
        if activity.waits.isEmpty { return nil }
        var table = TextTable([
            .init(name: "pid", isRightAligned: true), .init(name: "waits for a lock of"), .init(name: "mode"),
            .init(name: "for", isRightAligned: true), .init(name: "held by"),
        ])
        for wait in activity.waits {
            table.append([
                String(wait.process), wait.target, wait.mode, age(wait.since),
                Self.names(ofBlockers: wait.blockers),
            ])
        }
        return table.text(style)
    }

    private var obstacles: String? {
        if activity.obstacles.isEmpty { return nil }
        var table = TextTable([
            .init(name: "held back"), .init(name: "by"), .init(name: "for", isRightAligned: true),
            .init(name: "behind", isRightAligned: true),
        ])
        for obstacle in activity.obstacles {
            let unit = obstacle.work == .checkpoint ? "pages" : "transactions"
            table.append([
                obstacle.work.title, Self.name(of: obstacle), age(obstacle.since),
                "\(Self.count(obstacle.distance)) \(unit)",
            ])
        }
        return table.text(style)
    }

    private var replicas: String? {
        if activity.replicas.isEmpty { return nil }
        var table = TextTable([
            .init(name: "replica"), .init(name: "state"), .init(name: "missing", isRightAligned: true),
            .init(name: "not applied", isRightAligned: true), .init(name: "lag", isRightAligned: true),
        ])
        for replica in activity.replicas {
            table.append([
                replica.name, [replica.state, replica.synchrony].compactMap(\.self).joined(separator: ", "),
                replica.missingBytes.map(Quantity.bytes) ?? "?",
                replica.unappliedBytes.map(Quantity.bytes) ?? "?", replica.lag.map(Quantity.seconds) ?? "",
            ])
        }
        return table.text(style)
    }

    private var statements: String? {
        if activity.slowStatements.isEmpty { return nil }
        var table = TextTable([
            .init(name: "in total", isRightAligned: true), .init(name: "calls", isRightAligned: true),
            .init(name: "each", isRightAligned: true), .init(name: "statement"),
        ])
        for cost in activity.slowStatements {
            table.append([
                Quantity.seconds(cost.total), Self.count(cost.calls),
                String(format: "%.2f ms", cost.mean / .milliseconds(1)),
                cost.statement?.replacing("\n", with: " ") ?? "",
            ])
        }
        return table.text(style)
    }

    private var limits: String { activity.limits.map { style.dim($0) + "\n" }.joined() }

    /// Returns how long ago a time was; empty if it is unknown.
    private func age(_ date: Date?) -> String {
        date.map { Quantity.time(.seconds(max(0, activity.time.timeIntervalSince($0)))) } ?? ""
    }

    private static func count(_ number: Int64) -> String { Quantity.count(Int(number)) }

    /// Returns the processes that hold a lock; a prepared transaction has none, which the number 0 stands for.
    private static func names(ofBlockers processes: [Int64]) -> String {
        processes.map { $0 == 0 ? StoreActivity.Obstacle.Kind.preparedTransaction.title : String($0) }
            .joined(separator: ", ")
    }

    private static func name(of obstacle: StoreActivity.Obstacle) -> String {
        let words = [obstacle.process.map(String.init), obstacle.name].compactMap(\.self)
        return ([obstacle.kind.title] + words).joined(separator: " ")
    }
}

extension StoreActivity.Obstacle.Work {
    fileprivate var title: String {
        switch self {
        case .vacuum: "removing old rows"
        case .following: "following saves"
        case .checkpoint: "checkpoint"
        }
    }
}

extension StoreActivity.Obstacle.Kind {
    fileprivate var title: String {
        switch self {
        case .session: "process"
        case .preparedTransaction: "prepared transaction"
        case .replica: "replica"
        case .replicationSlot: "replication slot"
        }
    }
}
