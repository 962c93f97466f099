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
        var libraries: [LinkedLibrary] = []
        #if SQLite
        libraries.append(LinkedLibrary(name: "SQLite", version: SQLiteLibrary.version))
        #endif
        #if Postgres
        libraries.append(LinkedLibrary(name: "libpq", version: PostgresLibrary.version))
        #endif
        StoreAdmin.main(libraries: libraries)
    }
}
