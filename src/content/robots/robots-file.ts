import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl } from '../../base/url.js'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import { normalizePattern } from './robots-pattern.js'
import { type RobotsRule, type RuleIndex, indexRules } from './robots-rules.js'
import type { SiteFile } from '../../base/http/site-file.js'

/** Maximum bytes of a file to read: the minimum that RFC 9309 section 2.5 requires. */
export const robotsFileBytes = 512_000

/** Reading of further records, which RFC 9309 does not have: those that features ask for. */
export interface RobotsRecordKind {
  /** True if it ends the `User-agent` lines of a group, as a rule does. @default false */
  readonly isRule?: boolean
  /**
   * True if it may stand outside of the groups, for all crawlers: it belongs to a group only if no empty line and no `Sitemap` line
   * separates them. @default false
   */
  readonly isForAll?: boolean
  /** Maximum number of records of a group. @default no limit */
  readonly max?: number
  /** Reads a value, one character per byte. @returns undefined for one that says nothing */
  read(value: string, robotsUrl: string): unknown
}

/** Kinds of further records, by their names in lower case. */
export type RobotsRecordKinds = ReadonlyMap<string, RobotsRecordKind>

/** A further record. */
export interface RobotsRecord {
  /** The value that its kind has read. */
  readonly value: unknown
  /** Line number in the file, from 1. */
  readonly lineNumber: number
  /** The line, one character per byte. */
  readonly line: string
}

/** Further records by their names. */
export type RobotsRecords = ReadonlyMap<string, readonly RobotsRecord[]>

/** The group of a `robots.txt` for one crawler. */
interface RobotsGroup {
  readonly rules: RuleIndex
  /** `Crawl-delay` in milliseconds; the longest when there are several. */
  readonly crawlDelayMs?: number
  /** Further records of the group. */
  readonly records: RobotsRecords
}

/** A parsed `robots.txt`. */
export interface RobotsFile {
  /** Finds the group for a product token, otherwise that of `*`; undefined when there is neither. */
  groupOf(agent: string): Promise<RobotsGroup | undefined>
  /** Absolute URLs of the `Sitemap` lines, in order, without duplicates. */
  readonly sitemaps: readonly string[]
  /** Further records outside of the groups. */
  readonly records: RobotsRecords
}

/** Consecutive `User-agent` lines and their rules. A crawler may be named in several. */
interface UserAgentBlock {
  /** Rules of the block. Other records do not end a group, so blocks may share their rules. */
  readonly group: { readonly rules: RobotsRule[]; hasBegun: boolean }
  crawlDelayMs?: number
  readonly records: Map<string, RobotsRecord[]>
}

/**
 * Parses a `robots.txt`, in slices. Linear in the bytes, and never throws: invalid lines are skipped, and an HTML page
 * has no valid ones.
 *
 * @see RFC 9309 section 2.2
 */
export async function readRobotsFile(
  { body, url }: SiteFile,
  kinds: RobotsRecordKinds = new Map(),
): Promise<RobotsFile> {
  const blocks = new Map<string, UserAgentBlock[]>()
  const sitemaps = new Set<string>()
  let current: UserAgentBlock | undefined
  const records = new Map<string, RobotsRecord[]>()
  let lineNumber = 0
  let isInGroup = false
  for (const line of linesOf(readOctets(body))) {
    lineNumber += 1
    if (lineNumber % LINES_PER_SLICE === 0) await yieldIfHeld()
    const { name, value } = splitLine(line)
    if (name === 'user-agent') {
      if (!current || current.group.hasBegun) current = startBlock({ rules: [], hasBegun: false })
      else if (hasOwnRecords(current)) current = startBlock(current.group)
      isInGroup = true
      listUnder(blocks, productToken(value), current)
    } else if (name === 'sitemap') {
      isInGroup = false
      const sitemap = resolveLine(value, url)
      if (sitemap !== undefined) sitemaps.add(sitemap)
    } else if (kinds.has(name)) {
      const kind = kinds.get(name)
      const owner = kind?.isForAll && !(current && isInGroup) ? records : current?.records
      if (kind?.isRule && current) current.group.hasBegun = true
      const read = owner && kind?.read(value, url)
      if (owner && read !== undefined) addRecord(owner, name, { value: read, lineNumber, line }, kind?.max)
    } else if (name === '' && line.trim() === '') {
      isInGroup = false
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
    const made = groups.get(name) ?? mergeBlocks(blocks.get(name), kinds)
    groups.set(name, made)
    return await made
  }
  return { groupOf, sitemaps: [...sitemaps], records }
}

function addRecord(records: Map<string, RobotsRecord[]>, name: string, record: RobotsRecord, max = Infinity): void {
  const same = records.get(name)
  if (!same) records.set(name, [record])
  else if (same.length < max) same.push(record)
}

const startBlock = (group: UserAgentBlock['group']): UserAgentBlock => ({ group, records: new Map() })

/** Returns true if a block has records that a further `User-agent` line does not share. */
const hasOwnRecords = ({ crawlDelayMs, records }: UserAgentBlock): boolean =>
  crawlDelayMs !== undefined || records.size > 0

/** Resolves the URL of a line; undefined if it has none. */
export function resolveLine(value: string, base: string): string | undefined {
  const isUrl = value !== '' && value.length <= MAX_URL_CHARACTERS
  const resolved = isUrl ? resolveUrl(toText(value), base) : undefined
  return resolved && isWebUrl(resolved) ? resolved.href : undefined
}

/** Lines parsed between two checks of the clock. */
const LINES_PER_SLICE = 64

/**
 * Maximum characters of a pattern. A longer one matches no URL: even without its `*` it is longer than any, however
 * encoded.
 */
const MAX_PATTERN_CHARACTERS = 6 * MAX_URL_CHARACTERS

/** Returns the pattern of a rule; undefined for one that can match nothing. */
export function readPath(value: string): string | undefined {
  // A path begins with `/`. Nothing else can match, except `*`, which all crawlers accept there.
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

/**
 * Merges all blocks of a crawler. Called only for crawlers that are looked up, because a file may have thousands of
 * crawlers with thousands of rules each.
 */
function mergeBlocks(
  blocks: readonly UserAgentBlock[] | undefined,
  kinds: RobotsRecordKinds,
): Promise<RobotsGroup> | undefined {
  return blocks && mergeAll(blocks, kinds)
}

async function mergeAll(blocks: readonly UserAgentBlock[], kinds: RobotsRecordKinds): Promise<RobotsGroup> {
  const delays = blocks.flatMap(({ crawlDelayMs }) => crawlDelayMs ?? [])
  const groups = new Set(blocks.map(({ group }) => group))
  const rules = await indexRules([...groups].flatMap((group) => group.rules))
  const records = new Map<string, RobotsRecord[]>()
  for (const block of blocks) {
    for (const [name, own] of block.records)
      for (const record of own) addRecord(records, name, record, kinds.get(name)?.max)
  }
  const merged = { rules, records }
  return delays.length === 0 ? merged : { ...merged, crawlDelayMs: delays.reduce((a, b) => Math.max(a, b)) }
}

function listUnder(blocks: Map<string, UserAgentBlock[]>, token: string, block: UserAgentBlock): void {
  if (token === '') return
  const listed = blocks.get(token)
  if (!listed) blocks.set(token, [block])
  else if (listed.at(-1) !== block) listed.push(block)
}

/** Extracts a crawler's name: `Trawl/1.0 (+https://…)` is `trawl`. Empty when there is none. */
function productToken(agent: string): string {
  if (/^\*([\t ]|$)/.test(agent)) return '*'
  return /^[\w.-]+/.exec(agent)?.[0].toLowerCase() ?? ''
}

/**
 * Frequent misspellings of names. Google's crawler reads them, so that a site whose owner looked at its results relies on such a line.
 *
 * @see https://github.com/google/robotstxt, robots.cc
 */
const MISSPELLINGS: ReadonlyMap<string, string> = new Map([
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['site-map', 'sitemap'],
])

/** Splits a line at its colon, or else at the blank between two words, as Google's crawler does. */
function splitLine(line: string): { name: string; value: string } {
  const comment = line.indexOf('#')
  const text = trim(line, 0, comment < 0 ? line.length : comment)
  const colon = text.indexOf(':')
  const end = colon < 0 ? text.search(/[\t ]/) : colon
  const value = trim(text, end + 1, text.length)
  if (end < 0 || (colon < 0 && /[\t ]/.test(value))) return { name: '', value: '' }
  const name = trim(text, 0, end).toLowerCase()
  return { name: MISSPELLINGS.get(name) ?? name, value }
}

// `String.trim` would also remove 0xA0, the last byte of `à`; a regular expression is quadratic in a long run of
// blanks.
function trim(line: string, from: number, to: number): string {
  while (from < to && line.charCodeAt(from) <= 0x20) from++
  while (to > from && line.charCodeAt(to - 1) <= 0x20) to--
  return line.slice(from, to)
}

/**
 * Decodes the file byte by byte, so that a rule in any encoding is compared byte by byte with a URL, and no byte is
 * invalid.
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

/** Decodes a string of bytes as UTF-8. */
export const toText = (octets: string): string => Buffer.from(octets, 'latin1').toString('utf8')
