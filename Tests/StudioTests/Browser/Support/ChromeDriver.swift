import ChildProcesses
import Foundation

/// A process of ChromeDriver, which controls browsers by the WebDriver protocol, and ends with this object.
final class ChromeDriver {
    /// The path of the program; nil if it isn't installed.
    static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether tests fail without the program, instead of being skipped.
    static let isRequired = ProcessInfo.processInfo.environment["STORE_TEST_STUDIO_BROWSER"] == "1"

    /// An error of the driver, such as an element that isn't in the page anymore.
    struct Failure: Error, Decodable {
        /// The kind of the error in the protocol, such as `stale element reference`.
        let error: String
        let message: String
    }

    private let process = Process()
    private var port = 0

    /// Starts the driver on a free port.
    init() throws {
        guard let program = Self.program else {
            throw Failure(
                error: "no driver", message: "chromedriver isn't installed; run scripts/check-studio.sh")
        }
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--port=0"]
        process.environment = ChildProgram.environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var lines = LineReader(output.fileHandleForReading)
        while port == 0 {
            guard let line = lines.line() else {
                throw Failure(error: "no driver", message: "\(program) ended before it listened at a port")
            }
            if let number = line.split(separator: "on port ").last, line.contains("started successfully") {
                port = Int(number.prefix { $0.isNumber }) ?? 0
            }
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// The address of a page that the driver serves: one of another origin than the studio, on the same machine.
    var statusAddress: String { "http://127.0.0.1:\(port)/status" }

    /// Sends a command, and returns the body of its response.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: [String: Any] = [:]) throws -> Data {
        let (status, data) = try exchange(method, path, body)
        guard status == 200 else { throw try JSONDecoder().decode(Response<Failure>.self, from: data).value }
        return data
    }

    /// Sends a command, and returns the value of its response.
    func value<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: Any] = [:], as type: Value.Type = Value.self
    ) throws -> Value {
        try JSONDecoder().decode(Response<Value>.self, from: send(method, path, body)).value
    }

    private struct Response<Value: Decodable>: Decodable {
        let value: Value
    }

    /// Sends a request on a connection of its own, and returns the status and the body of the response.
    private func exchange(_ method: String, _ path: String, _ body: [String: Any]) throws -> (Int, Data) {
        let silence = Failure(error: "no response", message: "\(method) \(path)")
        guard let client = RawClient(port: port, timeout: Browser.limit + 20) else { throw silence }
        let content = method == "POST" ? try JSONSerialization.data(withJSONObject: body) : Data()
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(content.count)\r
            Connection: close\r
            \r

            """
        client.send(Data(head.utf8) + content)
        var received = Data()
        while true {
            guard let part = client.receive() else { throw silence }
            received += part
            guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            let response = RawResponse(String(decoding: received[..<end.upperBound], as: UTF8.self))
            let length = response.header("Content-Length").flatMap { Int($0) } ?? 0
            if received.count < end.upperBound + length { continue }
            return (response.status ?? 0, Data(received[end.upperBound...].prefix(length)))
        }
    }
}
