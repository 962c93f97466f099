import ContextCore
import StoreAdmin

#if SQLite
import SQLiteBackend
#endif
#if Postgres
import PostgresBackend
#endif

@main
struct Storectl {
    static func main() {
        var backends: [StoreBackend] = []
        #if SQLite
        backends.append(.sqlite)
        #endif
        #if Postgres
        backends.append(.postgres)
        #endif
        StoreAdmin.main(backends: backends)
    }
}
