import { decodeEntities } from '../html/decode-entities.js'
import { endTagOf } from './element-kinds.js'
import { MAX_TAG, endOfName, endOfTag } from './html-tags.js'

/** Elements whose content is no markup to a browser that runs scripts. */
const unread: ReadonlySet<string> = new Set(['noscript', 'style', 'template', 'textarea', 'title', 'xmp'])
/** Matches the attributes with code that runs without a visitor. `onfocus` and `ontoggle` need another attribute. */
const handler =
  /\son(load|error|pageshow|begin|focus|toggle|start|canplay|loadstart|loadeddata|animationstart|animationend)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** The attributes without which some handlers wait for a visitor. */
const conditions: ReadonlyMap<string, RegExp> = new Map([
  ['focus', /\sautofocus\b/i],
  ['toggle', /\sopen\b/i],
])
/**
 * Matches code that does something to the page. Handlers without it give their own element another address or medium:
 * `this.src='other.png'`, `this.media='all'`.
 */
const acts = /[(`]|\b(?:document|location|parent|self|top|window)\b/

/**
 * Returns the code of a page that runs without a visitor, as far as it is in the page: inline scripts, an empty text for
 * each other script, and handlers such as `onload`. In time linear in the length of the source.
 */
export function listRunningCode(source: string): readonly string[] {
  const found: string[] = []
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at)) {
    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4)
      if (end < 0) break
      at = end
      continue
    }
    const nameEnd = endOfName(source, at)
    if (nameEnd === undefined) {
      at += 1
      continue
    }
    const to = endOfTag(source, at)
    const name = source.slice(at + 1, nameEnd).toLowerCase()
    const tag = source.slice(nameEnd, Math.min(to, at + MAX_HANDLER))
    at = to
    if (name.startsWith('/')) continue
    if (name !== 'script') found.push(...readHandlers(tag))
    if (name !== 'script' && !unread.has(name)) continue
    const end = findEnd(source, name, to)
    if (name === 'script' && isScript(tag)) found.push(source.slice(to, end))
    at = end
  }
  return found
}

/** Length of the start of a tag in which handlers are read: they are longer than other attributes. Characters. */
const MAX_HANDLER = 20 * MAX_TAG

function readHandlers(tag: string): string[] {
  // Nearly no tag has one.
  if (!/\son/i.test(tag)) return []
  const codes: string[] = []
  for (const [, name = '', double, single, bare] of tag.matchAll(handler)) {
    const code = decodeEntities(double ?? single ?? bare ?? '')
    if (acts.test(code) && conditions.get(name.toLowerCase())?.test(tag) !== false) codes.push(code)
  }
  return codes
}

/** Tests for a script that a browser runs, by its type. @param tag its attributes */
export function isScript(tag: string): boolean {
  const type = /\stype\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
  return type === '' || type === 'module' || type.includes('javascript')
}

/** Returns the offset of the end tag of an element; the end of the source if there is none. */
function findEnd(source: string, name: string, from: number): number {
  const closing = endTagOf(name)
  closing.lastIndex = from
  return closing.exec(source)?.index ?? source.length
}

/**
 * Matches code that leads to another page, or to another answer of the same one: it sets the location, loads the page
 * again, or sends a form.
 */
const leads: readonly RegExp[] = [
  /\blocation(?:\.(?:href|pathname|search|host(?:name)?)|\[["']href["']\])?\s*=(?!=)/,
  /\blocation\.(?:replace|assign|reload)\s*\(/,
  /\bhistory\.(?:go|back|forward)\s*\(/,
  /\bnavigation\.(?:navigate|reload)\s*\(/,
  /\bopen\s*\([^()]{0,200}["']_(?:self|top|parent)["']/,
  /\brequestSubmit\s*\(/,
  // With arguments they add a handler.
  /(?:\.(?:submit|click)|\[["'](?:submit|click)["']\])(?:\.(?:call|apply))?\s*\(\s*(?:\)|document\b|\w{1,40}\s*\))/,
  /\.trigger(?:Handler)?\s*\(\s*["'](?:submit|click)["']/,
  /\bnew\s+\w{0,20}Event\s*\(\s*["'](?:submit|click)["']/,
]

/** Matches code that waits for something before it runs: a function with a name, a handler. */
const waits =
  /\bfunction\s+\w|addEventListener|\.on\s*\(|\bon\w+\s*=|\.(?:click|submit|change)\s*\(\s*(?:function|\(|\w+\s*=>)/
/** Maximum length of a script that does nothing else. Characters. */
const MAX_DIRECT = 300

/** Finds whether a page leads on by its code: `directly`, or by code that may wait for something. */
export function findLead(codes: readonly string[]): 'directly' | 'perhaps' | undefined {
  const leading = codes.filter((code) => leads.some((pattern) => pattern.test(code)))
  if (leading.some((code) => code.length <= MAX_DIRECT && !waits.test(code))) return 'directly'
  return leading.length > 0 ? 'perhaps' : undefined
}
