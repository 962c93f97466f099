#if SQLite
import ContextCore
import SQLStore

/// Makes a file with the tables of a model a store.
struct StoreAdoption {
    let model: ObjectModel
    let configuration: SQLiteConfiguration

    /// Returns the differences of the tables from those of a new store; if there are any, the file is unchanged.
    func adopt() throws(StoreError) -> [String] {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest, "An in-memory store can't be adopted.",
                remedy: "Give the path of a file.")
        }
        let file = try StoreFile(path)
        guard file.exists else {
            throw StoreError(
                .storeNotFound, "There is no file at “\(file.path)”.", remedy: "Correct the path.")
        }
        let connection = try SQLiteConnection.open(.readAndWrite, file, configuration)
        defer { connection.close() }
        try connection.begin(writing: true)
        let header = try StoreHeader(reading: connection)
        if header.isUnclaimed { try header.checkEncoding(file) } else { try header.check(file) }
        return try StoreCreation(model, connection).adopt()
    }
}
#endif
