// Models use Date, UUID, Data, Decimal and URL, so programs that import ContextCore don't need to import Foundation.
@_exported public import Foundation
