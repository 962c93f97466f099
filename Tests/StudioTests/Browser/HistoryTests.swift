import Testing

extension BrowserTests {
    /// The list of saves and its filters.
    @Suite struct HistoryTests {
        private static let saves = "all('.save-number').map((node) => node.textContent)"

        @Test(arguments: StudioPlace.available)
        func `Saves are filtered by author, process and entity`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try studio.changeElsewhere(
                #"{"update":"Player:9","set":{"score":7}}"#, author: "Ann", program: "importer")
            try studio.changeElsewhere(#"{"update":"Game:3","set":{"title":"Morris"}}"#, author: "Ann")
            try browser.goTo("#/history")
            let all: [String] = try browser.value(of: Self.saves)
            let (last, former) = (try #require(all.first), try #require(all.dropFirst().first))
            try browser.replaceText(of: "[aria-label=Process]", with: "importer")
            try browser.wait("\(Self.saves).join() === values[0]", former)
            #expect(try browser.value(of: "location.hash") == "#/history?process=importer")
            try browser.replaceText(of: "[aria-label=Process]", with: "none")
            try browser.wait("main().includes('No saves fit.')")
            try browser.goTo("#/history?author=Ann&process=storectl")
            try browser.wait("\(Self.saves).join() === values[0]", last)
            try browser.goTo("#/history?author=Ann&entity=Player")
            try browser.wait("\(Self.saves).join() === values[0]", former)
            try studio.expectNoProblems()
        }
    }
}
