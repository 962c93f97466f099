import Hummingbird
import Logging

/// Logs each request with its status and duration, and what made the server fail.
struct RequestLog: RouterMiddleware {
    func handle(
        _ request: Request, context: ClubRequestContext,
        next: (Request, ClubRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            log(request, response.status, since: start, context)
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            log(request, status, since: start, context)
            // The client gets no details of these errors.
            if status.code >= 500 { context.logger.error("\(String(reflecting: error))") }
            throw error
        }
    }

    /// Logs a request without its query, which has names of members.
    private func log(
        _ request: Request, _ status: HTTPResponse.Status, since start: ContinuousClock.Instant,
        _ context: ClubRequestContext
    ) {
        context.logger.info(
            "\(request.method.rawValue) \(request.uri.path)",
            metadata: ["status": "\(status.code)", "duration": "\(start.duration(to: .now))"])
    }
}
