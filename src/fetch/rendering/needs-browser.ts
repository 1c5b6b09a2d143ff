import type { FetchedPage } from '../fetched-page.js'
import { isMountPoint } from './html-tags.js'
import { maxShellText, scanPageText } from './scan-page-text.js'
import type { PageText } from './text-scanner.js'

const namesScript = /java\s?script/i
/** "Please enable JavaScript", in the languages that most such pages are in. */
const asksForScript =
  /(?:enabl|turn on|requir|activ|habilit|aktiv|włącz|включ|需要|启用|有効).{0,60}java\s?script|java\s?script.{0,60}(?:enabl|disabled|requir|activ|aktiv|habilit|wyłącz|включ|отключ|启用|禁用|必要|有効|無効)/is

/** A second request after any other error would make a block more likely. */
const mayRender = (status: number): boolean => status < 400 || status === 404

/**
 * Decides whether a page fetched over HTTP shows that its scripts load its text. Returns the reason, worded to follow "the
 * page needs a browser, as".
 *
 * Only the page itself counts as evidence, and only if it has scripts and little text: a page with {@link PROSE} characters
 * of its own text needs none, whatever its scripts. The text of a note on cookies is not its own; the text in `noscript`
 * is, if it is more than a note. The rules, in this order:
 *
 * 1. an element with the name of a framework's mount point (`#root`, `#app`, `#__next`, `<app-root>` …) that is empty, or
 *    holds no more than a placeholder;
 * 2. no text at all;
 * 3. an empty `main`;
 * 4. a note that asks for JavaScript, in `noscript` beside an empty element, or in the text itself;
 * 5. a mark of the framework (React or Next.js) that it left a part to the browser, or elements that state that they are still loading;
 * 6. an empty element with an id or the name of a component, on a page of a few words;
 * 7. a few words of its own, and inline scripts that are larger than decoration needs.
 */
export function needsBrowser(page: Pick<FetchedPage, 'body' | 'contentType' | 'statusCode'>): string | undefined {
  if (!mayRender(page.statusCode) || !isHtml(page)) return undefined
  return judge(scanPageText(page.body, maxShellText(page.statusCode)), page.body)
}

/** A page with so much own text is complete; shorter texts count for some of the rules. Characters. */
const PROSE = 600
const SENTENCES = 250
const WORDS = 80
const WORD = 20
/** Inline scripts for analytics and the like are no larger. Characters. */
const DECORATION_BYTES = 40_000

function judge(text: PageText, body: Uint8Array): string | undefined {
  const { ownLength, scripts, emptyElements } = text
  if (scripts === 0 || ownLength >= PROSE) return undefined
  // Some forums put the whole page into `noscript`, where it is read like any other text.
  if (text.noscriptLength >= PROSE && !asksForScript.test(text.noscript.replace(/<[^<>]*>/g, ' ').slice(0, SENTENCES)))
    return undefined
  const mount = emptyElements.find(isMountPoint)
  if (mount !== undefined) return `\`${mount}\` is empty until scripts fill it`
  if (ownLength + text.frameLength + text.media === 0) return 'there is no text outside its scripts'
  if (emptyElements.includes('main') && ownLength < SENTENCES) return 'its main part is empty until scripts fill it'
  const hasPlace = emptyElements.length > 0 || ownLength < WORD
  if (hasPlace && ownLength < SENTENCES && namesScript.test(text.noscript)) return 'it says that it needs JavaScript'
  if (ownLength < SENTENCES && asksForScript.test(text.ownStart)) return 'its text asks for JavaScript'
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // React writes this comment where server rendering failed; only some versions of Next.js name the reason.
  const isLeft = bytes.includes('<!--$!-->') && ownLength < SENTENCES
  if (isLeft || bytes.includes('BAILOUT_TO_CLIENT_SIDE_RENDERING')) return 'its framework leaves a part to the browser'
  if (text.waiting >= 3 && ownLength < SENTENCES) return 'it shows where its text is still to come'
  if (emptyElements.length > 0 && ownLength < WORDS) {
    return `it has a few words only, and \`${emptyElements[0]}\` is empty until scripts fill it`
  }
  if (ownLength < WORDS && text.scriptBytes > DECORATION_BYTES) return 'it has a few words only, and heavy scripts'
  return undefined
}

/** Tells HTML by the content type; by the first tag if the server sent none. */
function isHtml({ contentType, body }: Pick<FetchedPage, 'body' | 'contentType'>): boolean {
  if (contentType !== undefined) return /\bx?html\b/i.test(contentType)
  return startsAsPage(new TextDecoder().decode(body.subarray(0, MAX_START)))
}

/** Bytes that may stand before the first tag of a page without a content type. */
const MAX_START = 500

/** Tells whether the first tag after white space and comments begins a whole page. */
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
