import StoreAdmin

#if Postgres
import PostgresBackend
#endif

@main
struct Storectl {
    static func main() {
        var libraries: [LinkedLibrary] = []
        #if Postgres
        libraries.append(LinkedLibrary(name: "libpq", version: PostgresLibrary.version))
        #endif
        StoreAdmin.main(libraries: libraries)
    }
}
