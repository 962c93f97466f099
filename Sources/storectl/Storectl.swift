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
        var libraries: [LinkedLibrary] = []
        #if SQLite
        backends.append(.sqlite)
        libraries.append(LinkedLibrary(name: "SQLite", version: SQLiteLibrary.version))
        #endif
        #if Postgres
        backends.append(.postgres)
        libraries.append(LinkedLibrary(name: "libpq", version: PostgresLibrary.version))
        #endif
        StoreAdmin.main(backends: backends, libraries: libraries)
    }
}
