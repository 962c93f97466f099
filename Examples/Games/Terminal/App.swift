import ContextCore
import Foundation

/// The program in a terminal: two lists that follow the store, and a play that can be started and stopped.
@MainActor final class App {
    /// An event in the main loop.
    private enum Event: Sendable {
        case terminal(Terminal.Event)
        case tick
    }

    private static let tick = Duration.milliseconds(100)

    private let terminal: Terminal
    private var settings: Settings
    private var session: PlaySession?
    private var state = ScreenState()
    /// Whether a tick is queued that the loop has not handled.
    private var isTicking = false

    init(_ settings: Settings, _ terminal: Terminal) {
        self.settings = settings
        self.terminal = terminal
    }

    /// Runs until the user or a signal ends it, and returns the errors.
    func run() async -> [String] {
        await open()
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let keyTask = Task { [events = terminal.events] in
            for await event in events { sink.yield(.terminal(event)) }
        }
        // On this actor, so that at most one tick is queued, even while a store is being opened.
        let tickTask = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.tick)
                if isTicking { continue }
                isTicking = true
                sink.yield(.tick)
            }
        }
        draw()
        loop: for await event in events {
            switch event {
            case .tick:
                isTicking = false
                session?.tick(&state)
            case .terminal(.resized): break
            case .terminal(.ended): break loop
            case .terminal(.keys(let bytes)):
                for key in Key.keys(bytes) {
                    if key == .quit { break loop }
                    await press(key)
                }
            }
            draw()
        }
        tickTask.cancel()
        keyTask.cancel()
        state.notice = "ending …"
        draw()
        await close()
        terminal.restore()
        return state.complaints
    }

    // MARK: Stores

    private func open() async {
        state.store = settings.name
        state.discipline = "\(settings.discipline)"
        state.threads = settings.threads
        do {
            session = try await PlaySession(settings, rows: Screen.listHeight(terminal.size.height))
            state.notice = ""
        } catch {
            session = nil
            state.recordError("\(error)")
            state.notice = ""
        }
    }

    private func close() async {
        guard let session else { return }
        self.session = nil
        for complaint in await session.end() { state.recordError(complaint) }
    }

    /// Closes the store and opens one with other settings.
    private func reopen(_ change: (inout Settings) -> Void) async {
        state.notice = "opening …"
        draw()
        let isPlaying = session?.isPlaying ?? false
        await close()
        change(&settings)
        state.reset()
        await open()
        if isPlaying { await session?.play(settings.threads) }
        session?.tick(&state)
    }

    // MARK: Keys

    private func press(_ key: Key) async {
        switch key {
        case .space:
            if session?.isPlaying == true {
                await session?.stop()
            } else {
                await session?.play(settings.threads)
            }
        case .more, .fewer:
            settings.threads = max(1, min(64, settings.threads + (key == .more ? 1 : -1)))
            state.threads = settings.threads
            if session?.isPlaying == true { await session?.play(settings.threads) }
        case .discipline:
            await reopen { $0.discipline = $0.discipline == .snapshot ? .exclusive : .snapshot }
        case .store: await reopen { $0.selectedIndex = ($0.selectedIndex + 1) % $0.addresses.count }
        case .up, .down: session?.moveSelection(key == .up ? -1 : 1, &state)
        case .enter, .right: state.focus = .players
        case .left: state.focus = .games
        case .quit: break
        }
        session?.show(&state)
    }

    private func draw() {
        let size = terminal.size
        session?.setRows(Screen.listHeight(size.height), &state)
        terminal.show(Screen(state: state, width: size.width, height: size.height).lines)
    }
}
