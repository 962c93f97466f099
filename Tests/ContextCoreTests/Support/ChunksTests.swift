import ContextCore
import Testing

struct ChunksTests {
    @Test(arguments: [
        (0, []), (1, [1]), (2, [2]), (3, [3]), (4, [3, 1]), (6, [3, 3]), (7, [3, 3, 1]),
    ])
    func `All chunks but the last have the given size`(_ count: Int, _ sizes: [Int]) {
        let chunks = Array(0..<count).chunks(ofCount: 3)
        #expect(chunks.map(\.count) == sizes)
        #expect(chunks.flatMap { $0 } == Array(0..<count))
    }

    @Test func `The indices of a chunk are those of the whole collection`() {
        let slice = [0, 1, 2, 3, 4, 5][1...]
        #expect(slice.chunks(ofCount: 2).map(\.endIndex) == [3, 5, 6])
    }
}
