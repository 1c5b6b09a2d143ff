import type { FoundValue, TextRule } from './found-value.js'

/** Streets with the kind of street at the end of their name: Germany, Austria, Switzerland, the Netherlands, the North. */
const AFTER_NAME =
  'stra(?:ße|sse|at)|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|pfad|markt|gracht|laan|plein|kade|singel|dreef|gatan|gata|gate|gaten|vägen|veien|vej|gade|katu|tie|torget|allén'
/** Streets with their kind before the name: France, Spain, Italy, Portugal, Brazil, Poland. */
const BEFORE_NAME =
  'rue|avenue|av\\.|boulevard|bd\\.?|place|allée|chemin|impasse|quai|cours|calle|c/|avda?\\.?|avenida|plaza|paseo|carrer|ronda|via|viale|v\\.le|corso|piazza|largo|vicolo|rua|travessa|praça|alameda|estrada|ul\\.|ulica|al\\.|aleja|pl\\.|os\\.'
const OF_ENGLISH =
  'Street|St\\.?|Avenue|Ave\\.?|Road|Rd\\.?|Boulevard|Blvd\\.?|Lane|Ln\\.?|Drive|Dr\\.?|Court|Ct\\.?|Place|Pl\\.?|Square|Sq\\.?|Terrace|Way|Parkway|Pkwy\\.?|Highway|Hwy\\.?|Close|Crescent|Gardens|Grove|Hill|Row|Mews|Circle|Cir\\.?|Trail'

const NUMBER = '\\d{1,5} ?[a-zA-Z]?(?: ?[-/] ?\\d{1,4}[a-zA-Z]?)?'
const WORD = "[\\p{L}'.-]{1,24}"

/** Forms of the part before the postcode, at the end of a text. */
const BEFORE_POSTCODE = [
  new RegExp(
    `(?:\\p{Lu}[\\p{L}'-]{1,24} )?(?:\\p{Lu}[\\p{L}'.-]{0,30}(?:${AFTER_NAME})|(?:Am|An der|Im|In der|Zum|Zur|Auf der|Unter den) \\p{Lu}[\\p{L}-]{1,24}|(?:\\p{Lu}${WORD}|Am|An der) (?:Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer)) ${NUMBER},?[\\s]{1,3}(?:[A-Z]{1,3}-)?$`,
    'u',
  ),
  new RegExp(
    `(?<![\\p{L}\\d])${NUMBER}(?: ?(?:bis|ter))?,? (?:${BEFORE_NAME}) (?:${WORD} ?){1,5},?[\\s]{1,3}(?:[A-Z]{1,3}-)?$`,
    'iu',
  ),
  new RegExp(
    `(?<![\\p{L}])(?:${BEFORE_NAME}) ?(?:${WORD} ){0,4}${WORD},? (?:n[.º°o]* ?)?${NUMBER}(?:[, -]{1,3}[\\p{L}\\d .º°ªª]{1,16})?,?[\\s]{1,3}(?:[A-Z]{1,3}-)?$`,
    'iu',
  ),
  new RegExp(
    `(?<![\\p{L}\\d])${NUMBER} (?:[NSEW]\\.? )?(?:\\p{Lu}${WORD} ){1,4}(?:${OF_ENGLISH})(?: [NSEW]{1,2})?,?(?:[\\s]{1,2}(?:Suite|Ste\\.?|Apt\\.?|Apartment|Unit|Floor|Fl\\.?|#) ?[\\w-]{1,6},?)?[\\s]{1,3}(?:\\p{Lu}${WORD},? ){0,3}\\p{Lu}${WORD},? (?:[A-Z]{2,3} )?$`,
    'u',
  ),
]
/** The form of addresses in English among them. */
const ENGLISH = 3
/** A city or a state right before the postcode. */
const CITY_BEFORE = /[A-Za-z]{2},? $/
/** A state of Australia, whose postcodes have four digits as years have. */
const AUSTRALIA = /\b(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) $/
/** An address in Japanese, which begins with its postcode. */
const JAPAN = /〒? ?\d{3}-\d{4}[ \u3000]{0,2}(?:東京都|北海道|京都府|大阪府|[一-龥]{2,3}県)[^\s、。|<>[\]()（）]{3,40}/g
/** Tests quickly whether a text has a street. */
const HAS_STREET = new RegExp(
  `(?:${AFTER_NAME}|${BEFORE_NAME}|\\b(?:${OF_ENGLISH})|\\b(?:am|im|an der|zum|zur))[\\s,]`,
  'iu',
)

/** Postcodes, with what their countries have around them. Without properties of Unicode, which take ten times as long. */
const POSTCODE =
  /(?<![\w.,/-])(?:[A-Z]{1,2}-)?(?:\d{4} [A-Z]{2}(?![A-Za-z])|\d{5}-?\d{3}(?!\d)|\d{5}(?:-\d{4})?|\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}(?!\d)|\d{4}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?!\w)/g
const CITY =
  /[ ,]{1,2}(?:(?:Bad|Sankt|St\.|San|Santa|São|Los|Las|New|Le|La|Den|De|Ciudad|Alt|Neu|Nowy|Villa|Vila) )?\p{Lu}[\p{L}'-]{1,24}(?: (?:am |an der |im |sur |ob der |de |del |di )\p{Lu}[\p{L}'-]{1,24})?/uy

/** Longest address before its postcode. Characters. */
const REACH = 120
/** Most postcodes of a text whose surroundings are read: a table of places is no list of persons. */
const MAX_POSTCODES = 2000

/** Finds postal addresses: a street with a number, and a postcode with its city. */
export const findAddresses: TextRule = ({ plain }) => {
  const found: FoundValue[] = Array.from(plain.matchAll(JAPAN), ({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
    entity: 'LOCATION' as const,
  }))
  let [read, last] = [0, 0]
  for (const { 0: code, index } of plain.matchAll(POSTCODE)) {
    CITY.lastIndex = index + code.length
    const city = CITY.exec(plain)
    // In English, the city stands before the postcode.
    const place = plain.slice(Math.max(0, index - 8), index)
    const isEnglish = code.length > 4 ? CITY_BEFORE.test(place) : AUSTRALIA.test(place)
    if (!city && !isEnglish) continue
    const from = Math.max(0, index - REACH, last)
    const before = plain.slice(from, index)
    if (!/\d/.test(before) || !HAS_STREET.test(before)) continue
    read += 1
    if (read > MAX_POSTCODES) break
    const form = BEFORE_POSTCODE.findIndex((one, at) => (at === ENGLISH ? isEnglish : city) && one.test(before))
    const street = BEFORE_POSTCODE[form]?.exec(before)
    if (!street) continue
    const lead = /^\s*/.exec(street[0])?.[0].length ?? 0
    const end = index + code.length + (form === ENGLISH ? 0 : (city?.[0].length ?? 0))
    last = end
    found.push({ start: from + street.index + lead, end, entity: 'LOCATION' })
  }
  return found
}
