/// The English nouns whose singular or plural doesn't follow the rules for endings.
enum EnglishNouns {
    /// The singulars and the plurals of irregular nouns.
    private static let irregular: [(String, String)] = [
        ("analysis", "analyses"), ("appendix", "appendices"), ("axis", "axes"), ("calf", "calves"),
        ("child", "children"), ("crisis", "crises"), ("criterion", "criteria"),
        ("curriculum", "curricula"), ("diagnosis", "diagnoses"), ("foot", "feet"), ("goose", "geese"),
        ("half", "halves"), ("index", "indexes"), ("index", "indices"), ("hypothesis", "hypotheses"),
        ("knife", "knives"), ("life", "lives"), ("loaf", "loaves"), ("man", "men"),
        ("matrix", "matrices"), ("mouse", "mice"), ("ox", "oxen"),
        ("parenthesis", "parentheses"), ("person", "people"), ("phenomenon", "phenomena"),
        ("quiz", "quizzes"), ("self", "selves"), ("shelf", "shelves"), ("synopsis", "synopses"),
        ("thesis", "theses"), ("thief", "thieves"), ("tooth", "teeth"), ("vertex", "vertices"),
        ("wife", "wives"), ("wolf", "wolves"), ("woman", "women"),
        // Nouns whose singular ends in "ie", "oe", "che", "xe" or "s", and some whose plural ends in "oes".
        ("bookie", "bookies"), ("brownie", "brownies"), ("calorie", "calories"), ("cookie", "cookies"),
        ("cutie", "cuties"), ("foodie", "foodies"), ("genie", "genies"),
        ("hoodie", "hoodies"), ("lie", "lies"), ("movie", "movies"), ("newbie", "newbies"),
        ("pie", "pies"), ("pixie", "pixies"), ("rookie", "rookies"), ("selfie", "selfies"),
        ("smoothie", "smoothies"), ("sortie", "sorties"), ("tie", "ties"), ("veggie", "veggies"),
        ("zombie", "zombies"), ("ache", "aches"), ("avalanche", "avalanches"), ("axe", "axes"),
        ("cache", "caches"), ("headache", "headaches"), ("niche", "niches"), ("psyche", "psyches"),
        ("shoe", "shoes"), ("toe", "toes"), ("address", "addresses"), ("alias", "aliases"),
        ("atlas", "atlases"), ("bias", "biases"), ("bonus", "bonuses"), ("bus", "buses"),
        ("campus", "campuses"), ("canvas", "canvases"), ("census", "censuses"), ("corpus", "corpora"),
        ("focus", "focuses"), ("gas", "gases"), ("genus", "genera"), ("iris", "irises"), ("lens", "lenses"),
        ("menu", "menus"), ("plus", "pluses"), ("status", "statuses"), ("surplus", "surpluses"),
        ("virus", "viruses"), ("hero", "heroes"), ("potato", "potatoes"), ("tomato", "tomatoes"),
        ("echo", "echoes"), ("veto", "vetoes"),
    ]

    /// Nouns with the same singular and plural.
    private static let unchanging: Set<String> = [
        "aircraft", "analytics", "deer", "economics", "electronics", "equipment", "fish", "headquarters",
        "information", "logistics", "mathematics", "means", "media", "metadata", "money", "news", "offspring",
        "physics", "politics", "rice", "salmon", "series", "sheep", "software", "spacecraft", "species",
        "statistics", "swine", "trousers",
    ]

    private static let singulars = Dictionary(
        irregular.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    private static let plurals = Dictionary(irregular, uniquingKeysWith: { first, _ in first })
    private static let known = Set(irregular.map(\.0))

    /// Returns the singular of a listed noun; nil for any other.
    static func singular(of word: String) -> String? {
        replacingLastWord(like: word) { last in
            if unchanging.contains(last) || known.contains(last) { return last }
            return singulars[last]
        }
    }

    /// Returns the plural of a listed noun; nil for any other.
    static func plural(of word: String) -> String? {
        replacingLastWord(like: word) { last in unchanging.contains(last) ? last : plurals[last] }
    }

    /// Replaces the last word of a name like `orderSeries`, and preserves the words before it and the case of its first letter.
    private static func replacingLastWord(like name: String, _ lookUp: (String) -> String?) -> String? {
        let start = name.lastIndex(where: \.isUppercase) ?? name.startIndex
        let last = name[start...]
        guard let found = lookUp(last.lowercased()) else { return nil }
        let isCapital = last.first?.isUppercase == true
        return name[..<start] + (isCapital ? ImportedNames.capitalized(found) : found)
    }
}
