/** Headings of links to other pages, which sites exchange and reorder at will. */
const RELATED =
  /\b(?:related|similar|recommend(?:ed|ations?)(?! (?:retail|price|dos|daily|setting|requirement|hardware|system|version|browser))|suggested|you (?:may|might) (?:also )?(?:like|enjoy)|more (?:from|in|like|to explore|stories|articles|posts)|read (?:next|more|also)|see also|trending|most (?:read|viewed|popular|shared)|popular (?:now|posts|articles|products|today)|customers (?:who|also)|people also|also (?:bought|viewed|ordered)|frequently bought|recently viewed|what others|around the web|featured (?:partners?|products?)|tip of the day|quote of the day|ähnliche|empfohlen|empfehlungen|das könnte|weitere (?:artikel|themen|beiträge)|meistgelesen|kunden kauften|à lire aussi|articles similaires|vous aimerez|te puede interesar|relacionad[oa]s|potrebbe interessarti|correlati|gerelateerd|meest gelezen)\b/i

export const isRelatedHeading = (heading: string): boolean => RELATED.test(heading.slice(0, 200))

/** Offers to the visitor that have nothing to do with the page. */
const SITE_NOTICE =
  /\b(?:cookies?|newsletter|subscribe|sign (?:up|in)|log ?in|your (?:cart|basket)|download our app|get the app|accept all|privacy (?:policy|settings)|enable javascript|adblock|notifications?|feedback survey|chat with us|anmelden|registrieren|warenkorb|datenschutz|s['’]inscrire|se connecter|suscr[ií]bete|iscriviti)\b/i

/** Maximum length of such an offer. Characters. */
const MAX_NOTICE = 200

export const isSiteNotice = (text: string): boolean => text.length <= MAX_NOTICE && SITE_NOTICE.test(text)

/** Words by which a site speaks to its visitor. */
const ADDRESS =
  /(?<![\p{L}\d])(?:we|our|us|your?|get|subscribe|accept|enable|join|wir|unser\w{0,3}|ihre?|nous|votre|vos|su|tu|il tuo|la tua)(?![\p{L}\d])/iu

export const isAddressed = (text: string): boolean => ADDRESS.test(text.slice(0, MAX_NOTICE))

/** States of an offer or a service. */
const STATES =
  /\b(?:in stock|out of stock|sold out|back ?order(?:ed)?|pre-?order|available|unavailable|discontinued|coming soon|ships? (?:in|within)|operational|outage|degraded|disrupt(?:ed|ion)|under maintenance|maintenance|resolved|investigating|identified|monitoring|offline|online|closed|cancell?ed|postponed|deprecated|archived|auf lager|nicht auf lager|ausverkauft|lieferbar|nicht verfügbar|verfügbar|vergriffen|vorbestell\w{0,20}|en stock|épuisé|indisponible|disponible|rupture de stock|agotado|sin existencias|disponibile|non disponibile|esaurito|op voorraad|uitverkocht|niet leverbaar|esgotado|em estoque)\b/giu

/** Lists the states that a text names, in lower case. */
export const listStates = (text: string): string[] => (text.match(STATES) ?? []).map((state) => state.toLowerCase())

export const withoutStates = (text: string): string => text.replaceAll(STATES, ' ')

/** Nouns of what visitors do, whose numbers say nothing of the page. */
const COUNTED = new Set(
  (
    'ratings rating reviews review votes vote stars star likes like members people visitors visitor online sold ' +
    'downloads forks watchers watching followers comments comment replies reply viewing views view reads shares ' +
    'subscribers customers fans answers bookmarks saves plays listeners installs impressions clicks hits helpful upvotes ' +
    'bewertungen bewertung stimmen besucher mitglieder kommentare aufrufe avis votes commentaires visiteurs membres ' +
    'opiniones votos comentarios visitantes recensioni voti commenti'
  ).split(' '),
)

export const isCounted = (word: string): boolean => COUNTED.has(word)

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words before a number that is a limit, and not a count. */
const LIMITS = wordsOf(
  'up max maximum min minimum most least includes include included including limit limited limits per serves ' +
    "bis maximal höchstens mindestens inklusive enthält jusqu’à jusqu'à jusque inclut inclus hasta máximo máx mínimo " +
    'incluye fino massimo minimo include tot maximaal minimaal inclusief até inclui',
)

export const isLimit = (word: string): boolean => LIMITS.has(word.replace(/[.:]$/, ''))

/** Words after a number that is a rate. */
const RATES = wordsOf(
  'per each every monthly pro je par chaque por cada al ogni a maximum max included inclus inklusive',
)

export const isRate = (word: string): boolean => RATES.has(word)

/** Words of dates that are not those of a visit. */
const DEADLINES = wordsOf(
  'deadline due until till before ends end expires expiry closes closing starts start begins opens release released event ' +
    'frist bis endet beginnt ablauf limite échéance jusqu’au plazo hasta límite scadenza entro uiterlijk prazo',
)

export const isDeadline = (word: string): boolean => DEADLINES.has(word)

const WEEKDAYS = wordsOf(
  'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun montag dienstag mittwoch donnerstag ' +
    'freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado ' +
    'domingo lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
)

export const isWeekday = (word: string): boolean => WEEKDAYS.has(word)

const TODAY = wordsOf("today heute aujourd’hui aujourd'hui hoy oggi vandaag hoje")

export const isToday = (word: string): boolean => TODAY.has(word)

/** Words for days near the present one. */
const RELATIVE = new Set(
  (
    'today yesterday tomorrow now tonight ago recently just moments last this week ' +
    'heute gestern morgen jetzt vor kurzem aujourd’hui hier demain hoy ayer oggi ieri vandaag gisteren'
  ).split(' '),
)

export const isRelativeDay = (word: string): boolean => RELATIVE.has(word)

/** Codes and words of currencies beside a number. */
const CURRENCY_WORDS =
  'eur|euros?|usd|gbp|chf|jpy|cny|inr|aud|cad|nzd|sek|nok|dkk|pln|czk|huf|ron|brl|mxn|krw|rub|try|zar|kr|zł|kč|ft|lei|fr|dollars?|pounds?|yen|cents?'

const CURRENCY = new RegExp(`^(?:${CURRENCY_WORDS})$`)

export const isCurrency = (word: string): boolean => CURRENCY.test(word)

/** The rest of an amount and its currency, as the source of a pattern with the flags `i` and `u`: a number before it is a price. */
export const AMOUNT_REST = String.raw`[\d.,]{0,12}[\s*_]{0,4}(?:\p{Sc}|(?:${CURRENCY_WORDS})(?![\p{L}\d]))`
