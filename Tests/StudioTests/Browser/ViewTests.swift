import Foundation
import Testing

extension BrowserTests {
    /// What each view shows, and what none may do.
    @Suite struct ViewTests {
        @Test(arguments: StudioPlace.available)
        func `Every view shows its content, and logs no error`(place: StudioPlace) throws {
            let studio = try ClubStudio(place, canWrite: true)
            for view in StudioView.allCases {
                try studio.browser.goTo(view.place)
                for content in view.contents { try studio.browser.wait(content) }
                let errors: [String] = try studio.browser.value(
                    of: "all('#main .notice.bad').map((node) => node.textContent)")
                #expect(errors.isEmpty, "\(view): \(errors)")
                if let password = place.password {
                    let page: String = try studio.browser.value(of: "document.documentElement.outerHTML")
                    #expect(!page.contains(password), "\(view)")
                }
                try studio.expectNoProblems()
            }
        }

        @Test(arguments: StudioPlace.available)
        func `All objects are checked after a click`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            try studio.browser.goTo(StudioView.checks.place)
            try studio.browser.click("#main button", "Run")
            try studio.browser.wait("main().includes('No damage was found.')")
            try studio.expectNoProblems()
        }

        @Test func `A view that doesn't exist is named`() throws {
            let studio = try ClubStudio(.sqlite)
            try studio.browser.goTo("#/nowhere")
            try studio.browser.wait("main().includes('There is no view “nowhere”.')")
            try studio.browser.goTo("#/object/Game:99")
            try studio.browser.wait("all('#main .notice.bad').length === 1")
            try studio.expectNoProblems()
        }

        @Test func `The modules of the page pass their checks`() throws {
            let studio = try ClubStudio(.sqlite)
            let failures: [String] = try studio.browser.run(try Self.script("page-checks.js"))
            #expect(failures.isEmpty)
        }

        /// A script in the folder scripts/support/studio.
        static func script(_ name: String) throws -> String {
            let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            return try String(
                contentsOf: root.appending(path: "scripts/support/studio/\(name)"), encoding: .utf8)
        }
    }
}
