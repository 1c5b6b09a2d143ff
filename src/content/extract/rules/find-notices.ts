import { onceFor } from '../../../base/collections/once-for.js'
import { weighText } from '../../html/text-weight.js'
import { type Element, findElement, textOf } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { wordsOf } from '../blocks/name-words.js'

/** Maximum length of a notice. A longer text is a policy. Characters. */
const MAX_TEXT = 3000
/** Maximum length of the label of a button that answers. Characters. */
const MAX_LABEL = 60
/** Maximum number of elements that are examined. */
const MAX_DECLARED = 50
/** Number of elements at each end of a page that are examined whatever they are called, and maximum length of their text. Characters. */
const MAX_EDGE = 4
const MAX_EDGE_TEXT = 800
/** Minimum text that a page has beside its notice, in letters: about twelve words. Where it has less, the notice is what it says. */
const MIN_OTHER_TEXT = 60

/** Names of elements that ask for consent: of the subject, and of programs that write them. */
const SUBJECT =
  /cookie|consent|gdpr|dsgvo|rgpd|rodo|onetrust|usercentrics|didomi|klaro|tarteaucitron|^cmp$|privacy|datenschutz/
/** Names that say that an element is a message, beside its subject. */
const MESSAGE =
  /notice|notif|banner|bar$|pop-?up|modal|dialog|overlay|message|msg|alert|layer|wall|law|disclaimer|hinweis|warning|consent|bot|^cc$|^cmp$|onetrust|usercentrics|didomi|klaro/

/** Labels of dialogs, in the languages of the words below. */
const LABEL =
  /cookie|consent|gdpr|privacy|datenschutz|confidential|privacidad|privacidade|riservatezza|prywatno|soukrom|adatvéd|конфиденц|приватн|gizlilik|隐私|隱私|プライバシー|개인정보|עוגיות|פרטיות|خصوصية/i

/** Words for cookies. Most languages have the English one. */
const COOKIES =
  /cookie|kuki|ciastecz|süti|küpsis|slapuk|sīkdat|kolačić|piškotk|eväste|vafrakök|informasjonskaps|çerez|témoins de connexion|куки|бисквитк|колачић|עוגי|كوكيز|ملفات تعريف|쿠키|クッキー|คุกกี้|gdpr|dsgvo|rgpd/i
/** Words for what a player or map of another site would learn, which an element that is named for consent stands for. */
const THIRD_PARTY =
  /third[ -]part|external (?:content|media)|personal data|extern\w* (?:inhalt|medi)|drittanbieter|personenbezogen|(?:contenus?|médias?) (?:externe|tiers)|données personnelles|(?:contenido|medio)s? externo|datos personales|contenut[oi] estern|dati personali|externe inhoud|persoonsgegevens|treści zewnętrzn|dane osobowe|conteúdos? extern/i

/** Words for giving or refusing consent. */
const ANSWER =
  /accept|agree|allow|consent|reject|declin|got it|akzeptier|zustimm|einwillig|einverstanden|ablehn|annehm|zulass|erlaub|refuse|autoris|acept|rechaz|consient|accett|rifiut|acconsent|aceit|recus|akkoord|toestemm|toestaan|weiger|akceptuj|zgod|zezw[aó]l|odrzuc|povol|permit|souhlas|přijm|elfogad|engedélyez|hyväks|salli |godkän|tillåt|tillad|tillat|samtyk|samtyck|godta|nõustu|sutink|piekrīt|prihva|sprejm|kabul|onay|reddet|приня|приним|соглас|разреш|отклон|погод|прийня|αποδοχ|αποδέχ|συμφων|συναιν|επιτρ|同意|接受|受け入れ|承諾|拒绝|拒絕|許可|동의|허용|수락|거부|ยอมรับ|ยินยอม|מסכים|מאשר|أوافق|موافق|قبول/i

/**
 * Finds the texts that ask for consent to cookies, by rule: a short text reads like sentences of an article, and a small page has
 * too little else for a prediction. An element asks if its names, role or label say so, and its text speaks of cookies and of
 * consent, or has a button that answers. It holds neither the title nor an article.
 *
 * @param kept blocks that were chosen as content
 * @returns the chosen blocks that are no content; none if the page has no other text
 */
export function findNotices({ holders, blocks }: TextBlocks, kept: ReadonlySet<Block>): readonly Block[] {
  const declared = holders.filter(isDeclared).slice(0, MAX_DECLARED)
  const atEdges = holders.filter(isAtEdge)
  const edges = atEdges.length > 2 * MAX_EDGE ? [...atEdges.slice(0, MAX_EDGE), ...atEdges.slice(-MAX_EDGE)] : atEdges
  const notices = new Set([
    ...declared.filter((region) => asks(region, blocks)),
    ...edges.filter((region) => hasButton(region.element) && asks(region, blocks)),
  ])
  if (notices.size === 0) return []
  const found = [...kept].filter(({ region }) => {
    for (let at: Region | undefined = region; at !== undefined; at = at.parent) if (notices.has(at)) return true
    return false
  })
  const weigh = (sum: number, { text }: Block): number => sum + weighText(text)
  return [...kept].reduce(weigh, 0) - found.reduce(weigh, 0) < MIN_OTHER_TEXT ? [] : found
}

const isDialog = ({ name, attribs }: Element): boolean =>
  name === 'dialog' || /^(?:alert)?dialog$/.test(attribs['role'] ?? '') || attribs['aria-modal'] === 'true'

/** Elements of a text, whose names are those of its subject. */
const NOT_AROUND: ReadonlySet<string> = new Set('body main article p li td th h1 h2 h3 h4 h5 h6 a span pre'.split(' '))

/** Tag for reading an element's names with its id, which that of a section is mostly left out of: it is the subject of its text. */
const NAMED_BY_ID = 'div'

/** Tests for an element whose markup says that it asks for consent. */
function isDeclared({ element, text }: Region): boolean {
  if (text > MAX_TEXT || NOT_AROUND.has(element.name)) return false
  return (
    isDialog(element) ||
    LABEL.test(element.attribs['aria-label'] ?? '') ||
    namesSubject(wordsOf({ name: NAMED_BY_ID, attribs: element.attribs }))
  )
}

/** Tests for an element that a script adds to the page, beside all others, and that is as short as a message. */
const isAtEdge = ({ element, parent, text }: Region): boolean =>
  text >= MIN_OTHER_TEXT && text <= MAX_EDGE_TEXT && parent?.element.name === 'body' && !NOT_AROUND.has(element.name)

/** Tests for names of the subject. The list of words is the same for equal names. */
const namesSubject = onceFor((words: readonly string[]): boolean => words.some((word) => SUBJECT.test(word)))

/** Tests whether an element speaks of cookies and of consent, and holds neither the title nor an article. */
function asks(region: Region, blocks: readonly Block[]): boolean {
  const end = region.start + region.text
  const inside = blocks.filter(({ start }) => start >= region.start && start < end)
  const names = wordsOf({ name: NAMED_BY_ID, attribs: region.element.attribs })
  const isOfConsent = names.includes('consent')
  const isAbout = ({ text }: Block): boolean => COOKIES.test(text) || (isOfConsent && THIRD_PARTY.test(text))
  if (!inside.some(isAbout) || inside.some((block) => isInContent(block, region))) return false
  const isMessage =
    isDialog(region.element) ||
    /cookie|consent/i.test(region.element.attribs['aria-label'] ?? '') ||
    (namesSubject(names) && names.some((word) => MESSAGE.test(word)))
  return inside.some((block) => ANSWER.test(block.text) && (isMessage || isButton(block) || hasButton(region.element)))
}

const CONTENT: ReadonlySet<string> = new Set(['h1', 'article', 'main'])

/** True for a block of the title or of an article inside of a region. */
function isInContent(block: Block, region: Region): boolean {
  for (let at: Region | undefined = block.region; at !== undefined && at !== region; at = at.parent)
    if (CONTENT.has(at.element.name)) return true
  return false
}

/** Maximum elements of a message. */
const MAX_ELEMENTS = 100

/** Tests for a short button or link that gives or refuses consent. */
function hasButton(element: Element): boolean {
  let left = MAX_ELEMENTS
  const isAnswer = (one: Element): boolean => {
    if (left-- <= 0 || !(BUTTONS.has(one.name) || one.attribs['role'] === 'button')) return false
    const label = textOf(one)
    return label.length <= MAX_LABEL && ANSWER.test(label)
  }
  return findElement(element, isAnswer) !== undefined
}

const BUTTONS: ReadonlySet<string> = new Set(['button', 'a', 'input'])

const isButton = ({ text, inner, region }: Block): boolean =>
  text.length <= MAX_LABEL &&
  [inner, region.element].some(({ name, attribs }) => BUTTONS.has(name) || attribs['role'] === 'button')
