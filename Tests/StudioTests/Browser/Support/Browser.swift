import Foundation
import Testing

/// A Chromium without a window, which a test controls as a person does: it clicks visible elements and presses keys.
final class Browser {
    /// The seconds to wait for what a page must show; a slow machine may need many of them.
    static let limit = 40

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let driver: ChromeDriver
    private var session = ""

    /// Starts the browser.
    init() throws {
        driver = try ChromeDriver()
        // A container may have too little shared memory for the browser.
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=1280,900",
        ]
        let options: [String: Any] = ["args": arguments]
        let capabilities: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
            "timeouts": ["script": (Self.limit + 10) * 1000],
        ]
        let started: Started = try driver.value(
            "POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        session = "/session/\(started.sessionId)"
    }

    deinit { _ = try? driver.send("DELETE", session) }

    private struct Started: Decodable {
        let sessionId: String
    }

    private func send(_ command: String, _ body: [String: Any] = [:]) throws {
        try driver.send("POST", session + command, body)
    }

    // MARK: Pages

    /// Loads a page.
    func open(_ address: String) throws { try send("/url", ["url": address]) }

    /// Loads the page again.
    func reload() throws { try send("/refresh") }

    /// Opens another window of the same browser, which the following calls control; returns the former one.
    func openWindow() throws -> String {
        let former: String = try driver.value("GET", session + "/window")
        let new: [String: String] = try driver.value("POST", session + "/window/new", ["type": "window"])
        try show(window: try #require(new["handle"]))
        return former
    }

    /// Switches to a window, which the following calls control.
    func show(window: String) throws { try send("/window", ["handle": window]) }

    /// The address of a page of another origin on this machine, which browsers let load pages of 127.0.0.1.
    var foreignPage: String { driver.statusAddress }

    /// Returns the address and the text of a page in a frame, which the current page creates for an address.
    func frame(_ address: String) throws -> FramedPage {
        let _: Bool = try run(
            """
            return new Promise((resolve) => {
              const frame = document.createElement('iframe');
              frame.onload = () => resolve(true);
              frame.src = arguments[0];
              document.body.replaceChildren(frame);
            });
            """, [address])
        let element: [String: String] = try run("return document.querySelector('iframe')")
        try send("/frame", ["id": element])
        defer { try? send("/frame", ["id": NSNull()]) }
        return try run("return { address: location.href, text: document.body.innerText }")
    }

    /// What a frame shows.
    struct FramedPage: Decodable {
        let address: String
        let text: String
    }

    /// Sets the size of the page, which may be narrower than a window.
    func resize(width: Int, height: Int) throws {
        try emulate(
            "setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    /// Sets whether the person prefers dark colors.
    func setDark(_ isDark: Bool) throws {
        let feature = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try emulate("setEmulatedMedia", ["features": [feature]])
    }

    private func emulate(_ command: String, _ parameters: [String: Any]) throws {
        try send("/goog/cdp/execute", ["cmd": "Emulation.\(command)", "params": parameters])
    }

    // MARK: Scripts

    /// Runs a text as a function in the page, and returns its value, or that of its promise.
    func run<Value: Decodable>(
        _ script: String, _ values: [Any] = [], as type: Value.Type = Value.self
    ) throws -> Value {
        try driver.value("POST", session + "/execute/sync", ["script": script, "args": values])
    }

    /// Runs a function that calls its last argument with its value.
    private func runAsync<Value: Decodable>(_ script: String, _ values: [Any]) throws -> Value {
        try driver.value("POST", session + "/execute/async", ["script": script, "args": values])
    }

    /// Returns the value of an expression.
    func value<Value: Decodable>(
        of expression: String, _ values: Any..., as type: Value.Type = Value.self
    ) throws -> Value {
        try run(BrowserScript.evaluation(expression), [values])
    }

    /// Waits until an expression is true.
    func wait(_ expression: String, _ values: Any...) throws {
        _ = try firstValue(expression, values, as: Anything.self)
    }

    /// Goes to a view of the page, and waits until it is loaded.
    func goTo(_ place: String) throws {
        _ = try runAsync(BrowserScript.goTo, [place]) as Bool
        try wait("isSettled()")
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Waits until an expression is true, and returns its value.
    ///
    /// A page that is loaded meanwhile ends the script, so it is started again then.
    private func firstValue<Value: Decodable>(
        _ expression: String, _ values: [Any], as type: Value.Type
    ) throws -> Value {
        let deadline = ContinuousClock.now + .seconds(Self.limit)
        while true {
            let rest = (deadline - ContinuousClock.now) / .milliseconds(1)
            do {
                let arguments: [Any] = [values, max(0, Int(rest))]
                let found: Value? = try runAsync(BrowserScript.wait(expression), arguments)
                if let found { return found }
            } catch let failure as ChromeDriver.Failure where ContinuousClock.now < deadline {
                guard failure.error == "javascript error", failure.message.contains("unloaded") else {
                    throw failure
                }
                continue
            }
            let shown = (try? run("return document.body.innerText", as: String.self)) ?? ""
            throw Failure(
                description: """
                    in \(Self.limit) seconds the page didn't fulfill: \(expression) \(values)
                    It shows: \(shown.prefix(2000))
                    Its console: \((try? console()) ?? [])
                    """)
        }
    }

    // MARK: Elements

    private struct Element: Decodable {
        let id: String

        enum CodingKeys: String, CodingKey {
            case id = "element-6066-11e4-a52e-4f735466cecf"
        }
    }

    /// Clicks the first visible element of a selector, with exactly the text if one is given, as soon as it exists.
    func click(_ selector: String, _ text: String? = nil) throws {
        try click(at: "all(values[0], values[1])[0]", [selector, text ?? NSNull()])
    }

    /// Clicks the element that an expression returns.
    func click(at expression: String, _ values: [Any] = []) throws {
        let deadline = ContinuousClock.now + .seconds(Self.limit)
        while true {
            let element = try firstValue(expression, values, as: Element.self)
            do {
                return try send("/element/\(element.id)/click")
            } catch let failure as ChromeDriver.Failure where ContinuousClock.now < deadline {
                // The page may show the element again, or briefly cover it with a message.
                let passing = [
                    "stale element reference", "element click intercepted", "element not interactable",
                ]
                guard passing.contains(failure.error) else { throw failure }
            }
        }
    }

    // MARK: Keys

    /// Presses keys together, such as control and another one.
    func press(_ keys: BrowserKey...) throws {
        let down = keys.map { ["type": "keyDown", "value": $0.character] }
        let up = keys.reversed().map { ["type": "keyUp", "value": $0.character] }
        try perform(down + up)
    }

    /// Types a text into the element that has the focus.
    func type(_ text: String) throws {
        try perform(
            text.flatMap { character in
                ["keyDown", "keyUp"].map { ["type": $0, "value": String(character)] }
            })
    }

    /// Replaces the text of a field.
    func replaceText(of selector: String, with text: String) throws {
        try click(selector)
        try press(.control, "a")
        try type(text)
    }

    private func perform(_ actions: [[String: String]]) throws {
        let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        try send("/actions", ["actions": [keyboard]])
    }

    // MARK: Problems

    /// A message of the console.
    struct Message: Decodable, CustomStringConvertible {
        let level: String
        let source: String
        let message: String

        var description: String { "\(level) \(source): \(message)" }
    }

    /// Returns the messages that came since the last call.
    func console() throws -> [Message] {
        try driver.value("POST", session + "/se/log", ["type": "browser"])
    }

    /// Returns the errors and the violations of the page's policy since the last call.
    ///
    /// The browser also logs each response with an error status: those of the interface are errors that the page shows.
    func problems() throws -> [Message] {
        try console().filter { message in
            if message.source == "network" && message.message.contains("/api/") { return false }
            return message.level == "SEVERE" || message.source == "security"
        }
    }

    /// Whether a script of the page shows a dialog of the browser.
    func showsAlert() throws -> Bool {
        do {
            try driver.send("GET", session + "/alert/text")
            return true
        } catch let failure as ChromeDriver.Failure where failure.error == "no such alert" {
            return false
        }
    }
}
