import type { FetchedPage } from '../fetched-page.js'
import { isMountPoint } from './mount-points.js'
import { maxShellText, scanPageText } from './scan-page-text.js'
import type { PageText } from './text-scanner.js'

const namesScript = /java\s?script/i
/** "Please enable JavaScript", in the languages that most such pages are in. */
const asksForScript =
  /(?:enabl|turn on|requir|activ|habilit|aktiv|włącz|включ|需要|启用|有効).{0,60}java\s?script|java\s?script.{0,60}(?:enabl|disabled|requir|activ|aktiv|habilit|wyłącz|включ|отключ|启用|禁用|必要|有効|無効)/is

/** Statuses that more of the same visitor would only make worse. */
const mayRender = (status: number): boolean => status < 400 || status === 404

/**
 * Whether a page that came by HTTP shows that its text is brought by scripts; says why, to follow "the page needs a
 * browser, as".
 *
 * Only the page's own evidence counts, and only where there are scripts to run and little to read: no rule looks at a
 * page that has more than {@link PROSE} characters of its own, whatever its scripts; what a note on cookies says is not its
 * own, and what it has for those without scripts is, where that is more than a note. In this order:
 *
 * 1. an element by the name of a framework's mount point (`#root`, `#app`, `#__next`, `<app-root>` …) that is empty, or
 *    holds no more than a word of patience;
 * 2. nothing to read at all;
 * 3. an empty `main`;
 * 4. a note for those without JavaScript, in `noscript` beside an empty element, or in the text itself;
 * 5. a mark of the framework (React's, or Next.js's own) that this part is left to the browser, or elements that say that they are still waiting;
 * 6. an empty element with an id or of a component's name, on a page of a few words;
 * 7. a few words of its own beside scripts that carry much more than they would need to decorate it.
 */
export function needsBrowser(page: Pick<FetchedPage, 'body' | 'contentType' | 'statusCode'>): string | undefined {
  if (!mayRender(page.statusCode) || !isHtml(page)) return undefined
  return judge(scanPageText(page.body, maxShellText(page.statusCode)), page.body)
}

/** Own text from which on a page is taken to say what it has to say. */
const PROSE = 600
const SENTENCES = 250
const WORDS = 80
const WORD = 20
/** What a script of statistics and the like comes to inside a page, at most. */
const DECORATION_BYTES = 40_000

function judge(text: PageText, body: Uint8Array): string | undefined {
  const { ownLength, scripts, emptyElements } = text
  if (scripts === 0 || ownLength >= PROSE) return undefined
  // Some forums put the whole page there for those without scripts, and it is read like any other text.
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
  // What React writes where it gave up on the server; Next.js names the reason in some versions only.
  const isLeft = bytes.includes('<!--$!-->') && ownLength < SENTENCES
  if (isLeft || bytes.includes('BAILOUT_TO_CLIENT_SIDE_RENDERING')) return 'its framework leaves a part to the browser'
  if (text.waiting >= 3 && ownLength < SENTENCES) return 'it shows where its text is still to come'
  if (emptyElements.length > 0 && ownLength < WORDS) {
    return `it has a few words only, and \`${emptyElements[0]}\` is empty until scripts fill it`
  }
  if (ownLength < WORDS && text.scriptBytes > DECORATION_BYTES) return 'it has a few words only, and heavy scripts'
  return undefined
}

/** By its type; by its first tag where the server named none. */
function isHtml({ contentType, body }: Pick<FetchedPage, 'body' | 'contentType'>): boolean {
  if (contentType !== undefined) return /\bx?html\b/i.test(contentType)
  return startsAsPage(new TextDecoder().decode(body.subarray(0, MAX_START)))
}

/** So much may stand before the first tag of a page without a type. Bytes. */
const MAX_START = 500

/** Whether the first tag behind blanks and comments is one of a whole page. */
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
