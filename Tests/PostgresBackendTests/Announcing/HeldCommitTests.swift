#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Commits with a notification while another commit with a notification is blocked.
@Suite(.enabled(if: PrivateServer.isExpected, PrivateServer.absence))
struct HeldCommitTests {
    @Test func `A save is committed although others' notifications delay its own`() async throws {
        try await OwnThread.run {
            let server = try PrivateServer()
            var configuration = server.configuration
            configuration.timeout = .seconds(1)
            let things = try ServerThings(configuration)
            let admin = try PostgresConnection(configuration)
            for setting in ["synchronous_standby_names = 'nobody'", "synchronous_commit = local"] {
                try admin.execute("ALTER SYSTEM SET \(setting)")
            }
            try admin.execute("SELECT pg_reload_conf()")
            #expect(try eventually { try admin.run("SHOW synchronous_commit").text(0, 0) == "local" })
            things.coordinator.close()
            let again = try ServerThings(configuration)
            configuration.timeout = .seconds(600)
            let other = try PostgresConnection(configuration)
            let process = other.process.pid
            // The commit waits for a standby that doesn't exist; a transaction without writes would not wait.
            let errand = Errand(other) { other in
                try? other.execute(
                    """
                    SET synchronous_commit = on; BEGIN; CREATE TABLE public.written (); NOTIFY elsewhere; COMMIT
                    """)
            }
            errand.start()
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND wait_event = 'SyncRep'"
            #expect(try eventually { try admin.integer(waiting) == 1 })
            try again.save(1)
            try admin.execute("SELECT pg_cancel_backend(\(process))")
            #expect(try eventually { try admin.integer(waiting) == 0 })
            try again.save(2)
            #expect(try again.keys() == [1, 2])
            again.coordinator.close()
        }
    }
}
#endif
