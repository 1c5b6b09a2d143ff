import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl } from '../../url.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import { normalizePattern } from './robots-pattern.js'
import { type RobotsRule, type RuleIndex, indexRules } from './robots-rules.js'
import type { SiteFile } from '../site-file.js'

/** As much of a file as is read: what RFC 9309 section 2.5 asks for at least. */
export const robotsFileBytes = 512_000

/** What a `robots.txt` says to one crawler. */
export interface RobotsGroup {
  readonly rules: RuleIndex
  /** `Crawl-delay`, in milliseconds; the longest where there are several. */
  readonly crawlDelayMs?: number
}

/** A `robots.txt`, read. */
export interface RobotsFile {
  /** The group for a crawler: that of its product token, else that of `*`; undefined when there is neither. */
  groupOf(agent: string): Promise<RobotsGroup | undefined>
  /** Absolute URLs of the `Sitemap` lines, in their order, each once. */
  readonly sitemaps: readonly string[]
}

/** A run of `User-agent` lines, and what is said to these crawlers. A crawler may be named in several. */
interface Block {
  /** The rules that follow. Other records divide no group, so that blocks may have their rules in common. */
  readonly group: { readonly rules: RobotsRule[]; hasBegun: boolean }
  crawlDelayMs?: number
}

/**
 * Reads a `robots.txt`, in slices. Whatever the bytes are, this ends in time linear in them and never throws: what is no
 * line of the protocol is passed over, and an HTML page has none.
 *
 * @see RFC 9309 section 2.2
 */
export async function readRobotsFile({ body, url }: Pick<SiteFile, 'body' | 'url'>): Promise<RobotsFile> {
  const blocks = new Map<string, Block[]>()
  const sitemaps = new Set<string>()
  let current: Block | undefined
  let lineNumber = 0
  for (const line of linesOf(readOctets(body))) {
    lineNumber += 1
    if (lineNumber % LINES === 0) await yieldIfHeld()
    const { name, value } = splitLine(line)
    if (name === 'user-agent') {
      if (!current || current.group.hasBegun) current = { group: { rules: [], hasBegun: false } }
      else if (current.crawlDelayMs !== undefined) current = { group: current.group }
      listUnder(blocks, productToken(value), current)
    } else if (name === 'sitemap') {
      const isUrl = value !== '' && value.length <= MAX_URL_CHARACTERS
      const sitemap = isUrl ? resolveUrl(toText(value), url) : undefined
      if (sitemap && isWebUrl(sitemap)) sitemaps.add(sitemap.href)
    } else if (current && (name === 'allow' || name === 'disallow')) {
      current.group.hasBegun = true
      const pattern = readPath(value)
      if (pattern !== undefined) current.group.rules.push({ allow: name === 'allow', pattern, lineNumber, line })
    } else if (current && name === 'crawl-delay' && /^(\d{1,9}(\.\d*)?|\.\d+)$/.test(value)) {
      current.crawlDelayMs = Math.max(current.crawlDelayMs ?? 0, Math.round(Number(value) * 1000))
    }
  }

  const groups = new Map<string, Promise<RobotsGroup> | undefined>()
  const groupOf = async (agent: string): Promise<RobotsGroup | undefined> => {
    const token = productToken(agent)
    const name = blocks.has(token) ? token : '*'
    const made = groups.get(name) ?? mergeBlocks(blocks.get(name))
    groups.set(name, made)
    return await made
  }
  return { groupOf, sitemaps: [...sitemaps] }
}

/** Lines read between two looks at the clock. */
const LINES = 64

/** Patterns longer than this match no URL: what is left without its stars is longer than any, in every spelling. */
const MAX_PATTERN_CHARACTERS = 6 * MAX_URL_CHARACTERS

/** The pattern of a rule; undefined for one that can match nothing. */
function readPath(value: string): string | undefined {
  // A path begins with `/`. No other can match, but for the `*` that everybody allows in its place.
  if (!/^[/*]/.test(value)) return undefined
  const short = value.replace(/\*{2,}/g, '*')
  return short.length > MAX_PATTERN_CHARACTERS ? undefined : normalizePattern(short)
}

function* linesOf(text: string): Generator<string, void, void> {
  const ends = /\r\n|\r|\n/g
  let from = 0
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    yield text.slice(from, end.index)
    from = ends.lastIndex
  }
  yield text.slice(from)
}

/** One group of all blocks for a crawler. Done when it is asked for: a file may give thousands of crawlers thousands of rules. */
function mergeBlocks(blocks: readonly Block[] | undefined): Promise<RobotsGroup> | undefined {
  return blocks && mergeAll(blocks)
}

async function mergeAll(blocks: readonly Block[]): Promise<RobotsGroup> {
  const delays = blocks.flatMap(({ crawlDelayMs }) => crawlDelayMs ?? [])
  const groups = new Set(blocks.map(({ group }) => group))
  const rules = await indexRules([...groups].flatMap((group) => group.rules))
  return delays.length === 0 ? { rules } : { rules, crawlDelayMs: delays.reduce((a, b) => Math.max(a, b)) }
}

function listUnder(blocks: Map<string, Block[]>, token: string, block: Block): void {
  if (token === '') return
  const listed = blocks.get(token)
  if (!listed) blocks.set(token, [block])
  else if (listed.at(-1) !== block) listed.push(block)
}

/** A crawler's name without its version: `Trawl/1.0 (+https://…)` is `trawl`. Empty for what names nobody. */
function productToken(agent: string): string {
  if (/^\*([\t ]|$)/.test(agent)) return '*'
  return /^[\w.-]+/.exec(agent)?.[0].toLowerCase() ?? ''
}

function splitLine(line: string): { name: string; value: string } {
  const comment = line.indexOf('#')
  const end = comment < 0 ? line.length : comment
  const colon = line.indexOf(':')
  if (colon < 0 || colon > end) return { name: '', value: '' }
  return { name: trim(line, 0, colon).toLowerCase(), value: trim(line, colon + 1, end) }
}

// `String.trim` would take 0xA0, the last octet of `à`; a regular expression is quadratic in a long run of blanks.
function trim(line: string, from: number, to: number): string {
  while (from < to && line.charCodeAt(from) <= 0x20) from++
  while (to > from && line.charCodeAt(to - 1) <= 0x20) to--
  return line.slice(from, to)
}

/**
 * The file as octets, one character each, so that a rule in any encoding is compared octet by octet with what stands in
 * a URL, and nothing can be malformed.
 */
function readOctets(body: Uint8Array): string {
  const bytes = encodeAsUtf8(cutAtLine(body))
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('latin1', start).replaceAll('\0', '')
}

function cutAtLine(body: Uint8Array): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, robotsFileBytes))
  if (body.byteLength <= robotsFileBytes) return bytes
  return bytes.subarray(0, Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1)
}

function encodeAsUtf8(bytes: Buffer): Buffer {
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[bytes.toString('hex', 0, 2)]
  return encoding === undefined ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}

/** Octets as the text that they are in UTF-8. */
export const toText = (octets: string): string => Buffer.from(octets, 'latin1').toString('utf8')
