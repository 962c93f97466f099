import Model
import PostgresBackend
import SQLiteBackend
import StoreAdmin

StoreAdmin.main(model: clubModel, backends: [.sqlite, .postgres])
