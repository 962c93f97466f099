import ContextCore
import LoopbackServer

extension HTTPResponse {
    /// The headers of every response.
    ///
    /// The browser runs only scripts and styles that come from this server as files, shows the page in no frame, and keeps nothing that it
    /// gets. Another page gets none of it, not even as an image.
    static let studioHeaders: [HTTPRequestHead.Item] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"),
        .init("X-Content-Type-Options", "nosniff"), .init("X-Frame-Options", "DENY"),
        .init("Referrer-Policy", "no-referrer"), .init("Cache-Control", "no-store"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Creates a response with the headers of every response.
    static func studio(
        _ status: Int, _ mediaType: String?, _ body: Body, headers: [HTTPRequestHead.Item] = []
    ) -> HTTPResponse {
        let type = mediaType.map { [HTTPRequestHead.Item("Content-Type", $0)] } ?? []
        return HTTPResponse(status: status, headers: studioHeaders + type + headers, body: body)
    }

    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        studio(status, "application/json; charset=utf-8", .bytes(Array(text.utf8)))
    }

    static func error(_ error: AdminError) -> HTTPResponse { json(error.json, status: error.httpStatus) }
}

extension AdminError {
    /// The status of the response that contains the error.
    var httpStatus: Int {
        switch code {
        case "SC3004", "SC3006", "SC3007": return 422
        case "SC3005": return 409
        default: break
        }
        switch exit {
        case .usage, .badData: return 400
        case .inputMissing: return 404
        case .refused, .permission: return 403
        case .unavailable, .temporary: return 503
        default: return 500
        }
    }
}

extension Report {
    /// The status of the response that contains the report.
    ///
    /// `change` reports what it couldn't save: each property that is invalid, or each conflict.
    var httpStatus: Int {
        let isRefused = { (name: String) in json[name]?.elements?.isEmpty == false }
        return isRefused("conflicts") ? 409 : isRefused("failures") ? 422 : 200
    }
}
