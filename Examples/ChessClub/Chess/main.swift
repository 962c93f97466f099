import ContextCore
import Foundation
import Model
import PostgresBackend
import SQLiteBackend

do {
    let store = try await Store.open(backends: [.sqlite, .postgres], model: clubModel)
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "join": try await join(store)
    case "refuse": try await refuse(store)
    case "list": try await list(store)
    case "find": try await find(store, arguments.dropFirst().joined(separator: " "))
    case "pair": try await pair(store, "Spring Open")
    case "leave": try await leave(store, "Bo")
    case "play": try await play(store)
    case "federation": try await federation(store)
    default: print("Usage: swift run Chess COMMAND")
    }
} catch {
    print(error)
    exit(1)
}
