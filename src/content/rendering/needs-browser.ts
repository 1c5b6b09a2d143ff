import { isHtmlType } from '../../base/http/header-values.js'
import { findRefresh } from '../html/refresh.js'
import { listDataAttributes } from './data-attributes.js'
import { isMountPoint } from './html-tags.js'
import type { PageText } from './page-text.js'
import { findLead, listRunningCode } from './running-code.js'
import { MAX_BYTES, maxShellText, scanPageText } from './scan-page-text.js'
import { PLACEHOLDER_LENGTH } from './text-scanner.js'

const namesScript = /java\s?script/i
/** Matches "Please enable JavaScript" in the languages of most such pages. */
const asksForScript =
  /(?:enabl|turn on|requir|activ|habilit|aktiv|włącz|включ|需要|启用|有効).{0,60}java\s?script|java\s?script.{0,60}(?:enabl|disabled|requir|activ|aktiv|habilit|wyłącz|включ|отключ|启用|禁用|必要|有効|無効)/is

/**
 * Tests for a status after which a browser may find more. After other errors, a second request would only make a block
 * more likely.
 */
const mayRender = (status: number): boolean => status < 400 || status === 404

/**
 * Decides whether a page fetched over HTTP needs a browser because its scripts load its text. Returns the reason, a
 * clause that follows the words "the page needs a browser because"; undefined if it needs none.
 *
 * Only pages with scripts, or handlers that run by themselves, and little text can need a browser: a page with
 * {@link PROSE} characters of its own text never does. The text of a cookie banner is not its own. The text in `noscript`
 * is, if it is more than a note. The rules, in this order:
 *
 * 1. an element with the name of a framework's mount point (`#root`, `#app`, `#__next`, `<app-root>` …) that is empty,
 *    or holds no more than a placeholder;
 * 2. no text at all, whatever else there is: what runs on the page may write it;
 * 3. an empty `main`;
 * 4. a note that asks for JavaScript, in `noscript` beside an empty element, or in the text itself;
 * 5. a comment or text of the framework (React or Next.js) saying that it left a part to the browser, or elements or a
 *    text that state that the page is still loading;
 * 6. an empty element with an id, or an empty custom element, on a page of a few words;
 * 7. a few words of its own, and inline scripts larger than {@link DECORATION_BYTES};
 * 8. a small page of a few words that leads to another page, or loads itself again, by code that runs without a visitor
 *    (it sets the location, sends a form, clicks a button), or by a refresh in `noscript`. Where that code does nothing
 *    else, a few sentences may explain it.
 */
export function needsBrowser(page: TestedPage): string | undefined {
  if (!mayRender(page.statusCode) || !isHtml(page)) return undefined
  return findNeed(scanPageText(page.body, maxShellText(page.statusCode)), page.body)
}

type TestedPage = { readonly body: Uint8Array; readonly contentType?: string; readonly statusCode: number }

/** Tests whether a page that was fetched shows no more than a placeholder for what its scripts load. */
export function showsPlaceholder(page: TestedPage): boolean {
  if (page.statusCode >= 300 || !isHtml(page)) return false
  const text = scanPageText(page.body, maxShellText(page.statusCode))
  return text.scripts > 0 && isPlaceholder(text)
}

/** Tests whether a page shows a text in place of the placeholder that it showed before. */
export const replacesPlaceholder = (page: TestedPage, before: TestedPage): boolean =>
  showsPlaceholder(before) &&
  !showsPlaceholder(page) &&
  scanPageText(page.body, maxShellText(page.statusCode)).ownLength > 0

/** Lengths of a page's own text: of a page that is complete, and the maximum of some rules. Characters. */
const PROSE = 600
const SENTENCES = 250
const WORDS = 80
const WORD = 20
/** Maximum total length of inline scripts for analytics and similar purposes. Characters. */
const DECORATION_BYTES = 40_000

/** Number of elements from which on they are no detail of a page. */
const MIN_LOADING = 3
/** Matches a text that says "Loading…" or "Please wait", in the languages of most such texts, and no more. */
const saysLoading =
  /^(?:(?:(?:is|now|still|page|app|application|content|data) )*loading(?: (?:page|app|application|content|data|results|the page|your \w+))?|please wait|just a moment|one moment(?: please)?|(?:seite |inhalt |daten )?(?:wird|werden) geladen|l(?:ä|ae)dt|bitte warten|chargement(?: en cours)?|veuillez patienter|cargando|espere por favor|carregando|caricamento(?: in corso)?|bezig met laden|ładowanie|загрузка|загружается|加载中|载入中|載入中|読み込み中|로딩 중|불러오는 중)(?:[\s.,…!·-]+(?:please wait|bitte warten|veuillez patienter|请稍候|請稍候))?[\s.…!·]*$/i

/** Tests for a page that shows skeletons, or a text that says that it is loading, and nothing else. */
const isPlaceholder = ({ loadingElements, ownLength, media, ownStart }: PageText): boolean =>
  ownLength <= PLACEHOLDER_LENGTH &&
  media === 0 &&
  (loadingElements >= MIN_LOADING || saysLoading.test(ownStart.trim()))

/** Maximum size of a page that only leads to another one. Bytes. */
const STUB_BYTES = 8_192
function findNeed(text: PageText, body: Uint8Array): string | undefined {
  const { ownLength, emptyElements } = text
  if (ownLength >= PROSE) return undefined
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_BYTES))
  const isSmall = body.byteLength <= STUB_BYTES
  const codes = text.scripts === 0 || isSmall ? listRunningCode(bytes.toString('latin1')) : []
  if (text.scripts === 0 && codes.length === 0) return undefined
  // Some forums put the whole page into `noscript`, from which it is extracted like any other text.
  if (text.noscriptLength >= PROSE && !asksForScript.test(text.noscript.replace(/<[^<>]*>/g, ' ').slice(0, SENTENCES)))
    return undefined
  const mount = emptyElements.find(isMountPoint)
  if (mount !== undefined) return `\`${mount}\` is empty until scripts fill it`
  if (ownLength === 0 && (text.boilerplateLength === 0 || text.media === 0))
    return 'there is no text outside its scripts'
  if (emptyElements.includes('main') && ownLength < SENTENCES) return 'its `main` is empty until scripts fill it'
  const hasPlace = emptyElements.length > 0 || ownLength < WORD
  if (hasPlace && ownLength < SENTENCES && namesScript.test(text.noscript))
    return 'its `noscript` says that it needs JavaScript'
  if (ownLength < SENTENCES && asksForScript.test(text.ownStart)) return 'its text asks for JavaScript'
  // React writes this comment if server rendering failed; only some versions of Next.js add the reason.
  const isClientRendered = bytes.includes('<!--$!-->') && ownLength < SENTENCES
  if (isClientRendered || bytes.includes('BAILOUT_TO_CLIENT_SIDE_RENDERING'))
    return 'its framework left a part to be rendered in the browser'
  if ((text.loadingElements >= MIN_LOADING && ownLength < SENTENCES) || isPlaceholder(text))
    return 'it has placeholders for text that is still loading'
  if (emptyElements.length > 0 && ownLength < WORDS) {
    return `it has only a few words, and \`${emptyElements[0]}\` is empty until scripts fill it`
  }
  if (ownLength < WORDS && text.scriptBytes > DECORATION_BYTES) return 'it has only a few words, and large scripts'
  const lead = isSmall ? findLead(codes) : undefined
  if (ownLength < (lead === 'directly' ? SENTENCES : lead ? WORDS : 0))
    return 'it has only a few words, and leads to another page by a script'
  const isStub = isSmall && ownLength < WORDS && Boolean(findRefresh(text.noscript)?.url)
  return isStub ? 'it has only a few words, and leads to another page by a refresh' : undefined
}

/** Matches a script with JSON, or one that assigns it. */
const data = /(?:application|text)\/json\b|__ {0,2}= {0,2}(?:[[{]|JSON)/

/** Tests for a page of few words that embeds data for its components, which may be its text. */
export function holdsData(page: TestedPage): boolean {
  const { body, statusCode } = page
  if (statusCode >= 300 || !isHtml(page)) return false
  const { ownLength, noscriptLength } = scanPageText(body, maxShellText(statusCode))
  if (ownLength >= SENTENCES || noscriptLength >= PROSE) return false
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_BYTES)).toString('latin1')
  return data.test(html) || listDataAttributes(html).next().done === false
}

/** Tests for HTML by the content type, or by the first tag if the server sent none. */
export function isHtml({ contentType, body }: TestedPage): boolean {
  if (contentType !== undefined) return isHtmlType(contentType)
  return startsAsPage(new TextDecoder().decode(body.subarray(0, MAX_START)))
}

/** Length of the start of a page without a content type that is searched for its first tag. Bytes. */
const MAX_START = 500

/** Tests whether the first tag after white space and comments is `<!doctype html>`, `html`, `head` or `body`. */
function startsAsPage(start: string): boolean {
  let at = start.search(/\S/)
  while (at >= 0 && start.startsWith('<!--', at)) {
    const end = start.indexOf('-->', at + 4)
    if (end < 0) return false
    at = end + 3
    while (/\s/.test(start[at] ?? '')) at += 1
  }
  return at >= 0 && /^<(?:!doctype html|html|head|body)/i.test(start.slice(at, at + 20))
}
