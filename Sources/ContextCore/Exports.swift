// A model is written with Date, UUID, Data, Decimal and URL, so whoever describes one has them at hand.
@_exported public import Foundation
