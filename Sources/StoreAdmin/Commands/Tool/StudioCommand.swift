import ContextCore
import Foundation
import LoopbackServer

#if Studio
import StudioPage
#endif

/// Serves a page that shows a store, on this machine alone.
struct StudioCommand: Command {
    let declaration = CommandDeclaration(
        words: ["studio"], abstract: "Shows a store in a browser: objects, model, history and activity.",
        discussion: """
            It prints an address of this machine with a random token, and serves a page there until Ctrl-C. Other machines
            can't reach it, and other pages and users of this machine can't read it without the token. The page runs this
            tool's own commands. It changes nothing, unless --write is given. It needs a build with the trait Studio.
            """,
        options: [
            .option("port", nil, "N", "The port. The default is any free one."),
            .flag("write", nil, "Lets the page change objects."),
            .flag("open", nil, "Opens the page in the browser."), ModelHistory.option, Confirmation.option,
        ],
        examples: [
            .init(words: "studio -s dev --open", help: "Opens the browser with the store."),
            .init(words: "studio -s dev --write --port 8080", help: "Lets the page change objects."),
        ], formats: [], exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let port = try port(call)
        let address = try call.address()
        let store = try address.store(tenant: call.arguments["tenant"])
        if call.arguments.has("write") { try Confirmation.check(call, store) }
        // A store that can't be read fails here, rather than in each part of the page.
        _ = try store.model()
        #if Studio
        try serve(call, store, address, port)
        return .alreadyPrinted
        #else
        throw AdminError.configuration(
            "this program is built without the studio.",
            hint: "Build it with libmicrohttpd and the trait: swift build --traits SQLite,Postgres,Studio.")
        #endif
    }

    private func port(_ call: CommandCall) throws(AdminError) -> Int {
        let port = try call.arguments["port"].map { text throws(AdminError) in
            guard let number = Int(text), (1...65535).contains(number) else {
                throw .usage("--port takes a number from 1 to 65535, not “\(text)”.")
            }
            return number
        }
        return port ?? 0
    }
}

#if Studio
extension StudioCommand {
    private func serve(
        _ call: CommandCall, _ store: AdministeredStore, _ address: ResolvedAddress, _ port: Int
    )
        throws
    {
        let access = StudioAccess()
        let commands = StudioCommands(
            tool: call.tool, selection: call.arguments, address: address, stopRequest: call.stopRequest)
        let files = Dictionary(
            StudioPage.files.map { ($0.name, (bytes: $0.bytes, mediaType: $0.mediaType)) }
        ) { first, _ in first }
        let server = try start(port) { port in
            StudioSite(
                port: port, access: access, commands: commands,
                change: call.arguments.has("write") ? commands.change : nil, files: files,
                source: StoreEventSource(commands: commands))
        }
        try call.stopRequest.withSignalHandlers {
            defer { server.stop() }
            let base = "http://127.0.0.1:\(server.port)/?token="
            call.output.info("\(store.title) is shown at this address, until Ctrl-C:")
            try call.output.data(base + access.token.text + "\n")
            if call.arguments.has("open") { openBrowser(base + access.makeLaunchToken().text, call) }
            while !call.stopRequest.isRequested { Thread.sleep(forTimeInterval: 0.1) }
        }
    }

    private func start(_ port: Int, _ makeHandler: (Int) -> any HTTPHandler) throws -> LoopbackServer {
        do {
            return try LoopbackServer(port: port, makeHandler: makeHandler)
        } catch {
            throw AdminError(
                code: "SC2108", exit: .temporary,
                message: port == 0
                    ? "the page can't be served: \(error.reason)."
                    : "the page can't be served at port \(port): \(error.reason).",
                hint: "Name another --port, or leave it out for any free one.", isRetryable: true)
        }
    }

    private func openBrowser(_ address: String, _ call: CommandCall) {
        #if canImport(Darwin)
        let programs = ["open"]
        #else
        let programs = ["xdg-open", "sensible-browser"]
        #endif
        let search = ProgramSearch(call.tool.environment.variables)
        guard let program = programs.first(where: search.finds) else {
            return call.output.info("no browser was found; open the address above.")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            call.output.info("the browser can't be started; open the address above.")
        }
    }
}
#endif
