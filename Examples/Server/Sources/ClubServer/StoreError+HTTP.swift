import ContextCore
import Hummingbird

extension StoreError: @retroactive ResponseGenerator, @retroactive HTTPResponseError {
    /// The status of a response that reports the error.
    public var status: HTTPResponse.Status {
        switch code {
        case .validation: .unprocessableContent
        case .conflict, .duplicate, .missingReference: .conflict
        case .objectNotFound: .notFound
        case .unknownProperty, .unsupportedRequest: .badRequest
        case .overloaded, .busy, .contention, .timeout, .cancelled, .closed, .connectionLost, .readOnly,
            .accessDenied, .diskFull, .inputOutput, .storeMoved:
            .serviceUnavailable
        // Also `commitOutcomeUnknown`: a client must look before it tries again.
        default: .internalServerError
        }
    }

    /// Makes a response with the error's code, its message, and the rules that values violate.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(ErrorBody(self), from: request, context: context)
        response.status = status
        if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        return response
    }
}

/// The JSON of an error.
private struct ErrorBody: Encodable {
    struct Failure: Encodable {
        let property: String?
        let rule: String
    }

    struct Details: Encodable {
        let code: String
        let message: String
        let failures: [Failure]?
    }

    let error: Details

    init(_ error: StoreError) {
        // An error of the server may name hosts and files, which are for the log.
        let isOfServer = error.status.code >= 500
        let texts = [error.message] + error.conflicts.map(\.description)
        let failures = error.failures.map { Failure(property: $0.property, rule: $0.rule) }
        self.error = Details(
            code: error.code.description,
            message: isOfServer ? error.status.reasonPhrase : texts.joined(separator: " "),
            failures: failures.isEmpty ? nil : failures)
    }
}
