import Foundation
import Testing

@testable import ContextCore

@Entity final class Band: ManagedObject {
    @Attribute(.unique) var title: String
    var motto: String?
    var size: Int = 1
    var level: Int8 = 1
    var rating: Double?
    var grade: Grade = .easy
    var lastGrade: Grade?
    var founded: Date = .now
    var fee: Decimal = 0
    var home: Venue
    @Attribute(.codable) var tags: [String] = []
    @Attribute(.codable) var rank: Int = 3
    @Attribute(.unique) var token: UUID = UUID()
    var site: URL?
    var leader: Artist?
    @Relationship(inverse: \.bands) var artists: Set<Artist>

    static let readings = Guarded(0)

    var shout: String { title.uppercased() }
    var trimmed: String { title.trimmingCharacters(in: .whitespaces) }
    var display: String { title.isEmpty ? "?" : title }
    var shortMotto: String { motto ?? title }
    var isSmall: Bool { size < 5 }
    var isNamed: Bool { !title.isEmpty }
    var half: Int { size / 2 }
    var isHard: Bool { grade == .hard }
    var nextGrade: Grade { grade == .easy ? .hard : .easy }
    var age: Double { founded.timeIntervalSinceReferenceDate }
    var dayAfter: Date { founded.addingTimeInterval(86_400) }
    var firstArtist: Artist? { artists.first { $0.name == "Ann" } }
    var grownArtists: Set<Artist> { artists.filter { $0.age > 1000 } }
    var street: String { home.street + "!" }
    var settable: String {
        get { "«" + title + "»" }
        set { title = newValue }
    }
    var positiveSize: Int { size < 0 ? 0 : size }
    var longTitle: String { title.count == 1 ? title + title : title }
    var sameTitle: String { title }
    var counted: String {
        Self.readings.withLock { $0 += 1 }
        return title
    }
}

@Entity final class Artist: ManagedObject {
    var name: String
    var age: Int = 0
    @Relationship(inverse: \.artists) var bands: [Band]
    @Relationship(inverse: \.mentor) var pupils: [Artist]
    var mentor: Artist?
    var favourite: Band?

    var oldest: Artist? { mentor?.mentor }
}

struct ComputedKeyPathTests {
    @Test(
        arguments: [
            \Band.shout, \Band.trimmed, \Band.display, \Band.shortMotto, \Band.isSmall, \Band.isNamed,
            \Band.half,
            \Band.isHard, \Band.nextGrade, \Band.age, \Band.dayAfter, \Band.grownArtists, \Band.street,
            \Band.positiveSize, \Band.longTitle,
            \Band.settable, \Band.firstArtist?.name, \Band.leader?.favourite?.shout,
            \Band.leader?.oldest?.bands.count,
            \Band.grownArtists.count,
        ] as [any PartialKeyPath<Band> & Sendable])
    func `A key path to a computed property is recognized`(keyPath: any PartialKeyPath<Band> & Sendable) {
        #expect(!KeyPathProbe.isStored(keyPath))
    }

    @Test(
        arguments: [
            (\Band.title, "title"), (\Band.motto, "motto"), (\Band.size, "size"), (\Band.level, "level"),
            (\Band.rating, "rating"), (\Band.grade, "grade"), (\Band.lastGrade, "lastGrade"),
            (\Band.founded, "founded"),
            (\Band.fee, "fee"), (\Band.home, "home"), (\Band.home.zip, "home.zip"),
            (\Band.home.city, "home.city"),
            (\Band.tags, "tags"), (\Band.rank, "rank"), (\Band.token, "token"), (\Band.site, "site"),
            (\Band.leader, "leader"), (\Band.leader?.name, "leader.name"),
            (\Band.leader?.mentor?.age, "leader.mentor.age"),
            (\Band.leader?.favourite?.grade, "leader.favourite.grade"),
            (\Band.leader?.favourite?.home.zip, "leader.favourite.home.zip"),
            (\Band.artists, "artists"), (\Band.leader?.bands, "leader.bands"), (\Band.sameTitle, "title"),
        ] as [(any PartialKeyPath<Band> & Sendable, String)])
    func `Key paths to stored properties work`(keyPath: any PartialKeyPath<Band> & Sendable, path: String) {
        #expect(PropertyPathCache.expression(of: keyPath).description == path)
    }

    @Test func `A key path that ends with a count is a count`() {
        #expect(PropertyPathCache.expression(of: \Band.artists.count).description == "artists.@count")
        #expect(
            PropertyPathCache.expression(of: \Band.leader?.bands.count).description == "leader.bands.@count")
    }

    @Test func `A key path is resolved once`() {
        for size in 0..<100 { _ = (\Band.counted).contains("\(size)") }
        #expect(Band.readings.withLock { $0 } <= 4)
    }

    @Test func `Using a computed property in a request is an error that explains it`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = TypedSortKey<Band>.ascending(\.leader?.favourite?.shout)
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                "uses a computed property: it reads “leader”, “favourite”, “title” and changes the value, which a store can't evaluate."
            ))
    }
}
