import type { StatedUses, Use } from './permissions.js'

type Verdict = 'granted' | 'denied'

const SIGNALS: ReadonlyMap<string, Use> = new Map<string, Use>([
  ['search', 'search'],
  ['ai-input', 'ai-input'],
  ['ai-train', 'ai-train'],
])

/** Uses that each level of `use` denies. */
const LEVELS: ReadonlyMap<string, readonly Use[]> = new Map<string, readonly Use[]>([
  ['immediate', ['search', 'ai-train']],
  ['reference', ['ai-train']],
  ['full', []],
])

/** Labels of the vocabulary. @see draft-ietf-aipref-vocab section 6.1 */
const CATEGORIES: ReadonlyMap<string, Use> = new Map<string, Use>([
  ['search', 'search'],
  ['ai-use', 'ai-input'],
  ['train-ai', 'ai-train'],
])

/** Maximum characters of a preference to read. */
const MAX_CHARACTERS = 8192

/** Adds a verdict; of two about one use, the more restrictive remains. */
export function addVerdict(says: Partial<Record<Use, Verdict>>, use: Use, verdict: Verdict): void {
  if (says[use] !== 'denied') says[use] = verdict
}

/**
 * Reads Content Signals: `search=yes, ai-input=no`. Other signals, and other values than `yes` and `no`, say nothing. `use` says how
 * much may be kept: `immediate` nothing, which denies an index and training, `reference` an index with excerpts, which denies training,
 * `full` all. What a signal of its own says of a use comes before it.
 *
 * @see https://contentsignals.org
 */
export function readContentSignal(text: string): StatedUses {
  const says: Partial<Record<Use, Verdict>> = {}
  let denied: readonly Use[] = []
  for (const part of text.slice(0, MAX_CHARACTERS).toLowerCase().split(',')) {
    const equals = part.indexOf('=')
    const use = SIGNALS.get(part.slice(0, Math.max(equals, 0)).trim())
    const value = part.slice(equals + 1).trim()
    if (use && (value === 'yes' || value === 'no')) addVerdict(says, use, value === 'yes' ? 'granted' : 'denied')
    else if (part.slice(0, Math.max(equals, 0)).trim() === 'use') denied = LEVELS.get(value) ?? denied
  }
  for (const use of denied) says[use] ??= 'denied'
  return says
}

/**
 * Reads an expression of preferences: `train-ai=n, search=y`, a dictionary of structured fields. Of a label that occurs
 * twice, the last value counts; text that is no dictionary says nothing.
 *
 * @see draft-ietf-aipref-vocab section 6; RFC 9651 section 4.2.2
 */
export function readContentUsage(text: string): StatedUses {
  const says: Partial<Record<Use, Verdict>> = {}
  const values = readDictionary(text)
  for (const [label, use] of CATEGORIES) {
    const value = values?.get(label)
    if (value === 'y' || value === 'n') says[use] = value === 'y' ? 'granted' : 'denied'
  }
  return says
}

/** Parts of structured fields. Each matches where it is applied, in linear time. @see RFC 9651 section 4.2 */
const KEY = /[a-z*][a-z0-9_.*-]*/y
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y
const OTHER_ITEM = /"(?:[ !#-[\]-~]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|:[A-Za-z0-9+/=]*:|\?[01]|@-?\d{1,15}/y
const BLANKS = /[ \t]*/y

/** Reads the tokens of a dictionary by their keys; other values are empty. @returns undefined if it is no dictionary */
function readDictionary(text: string): Map<string, string> | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const cursor = new Cursor(text.trim())
  const values = new Map<string, string>()
  while (!cursor.isAtEnd) {
    const key = cursor.take(KEY)
    if (key === undefined) return undefined
    const value = cursor.skip('=') ? readMember(cursor) : ''
    if (value === undefined || !skipParameters(cursor)) return undefined
    values.set(key, value)
    cursor.take(BLANKS)
    if (cursor.isAtEnd) break
    if (!cursor.skip(',')) return undefined
    cursor.take(BLANKS)
    // A comma at the end is an error.
    if (cursor.isAtEnd) return undefined
  }
  return values
}

/** Reads a value: a token as written, anything else as an empty text. @returns undefined for an error */
function readMember(cursor: Cursor): string | undefined {
  if (!cursor.skip('(')) return readItem(cursor)
  for (;;) {
    cursor.take(BLANKS)
    if (cursor.skip(')')) return ''
    if (readItem(cursor) === undefined || !skipParameters(cursor)) return undefined
  }
}

const readItem = (cursor: Cursor): string | undefined =>
  cursor.take(TOKEN) ?? (cursor.take(OTHER_ITEM) === undefined ? undefined : '')

/** @returns false for an error */
function skipParameters(cursor: Cursor): boolean {
  while (cursor.skip(';')) {
    cursor.take(BLANKS)
    if (cursor.take(KEY) === undefined) return false
    if (cursor.skip('=') && readItem(cursor) === undefined) return false
  }
  return true
}

/** Position in a text. */
class Cursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  skip(character: string): boolean {
    const isThere = this.#text.charAt(this.#at) === character
    if (isThere) this.#at += 1
    return isThere
  }
}
