import { decodePercent } from '../../base/url.js'
import type { Rewriter } from '../../content/digest/rewriter.js'
import { entities, type Entity } from './rules/found-value.js'
import { findValues } from './rules/find-values.js'
import { markupWithin, toPlainText } from './rules/plain-text.js'

/** Plan of the redaction of a page. Plain data. */
export interface RedactionSlice {
  readonly mode: 'accurate' | 'aggressive' | 'fast'
  readonly entities: readonly Entity[]
  readonly replaceStyle: 'tag' | 'mask' | 'remove'
}

/** The values of a page that were redacted. Plain data, in memory only. */
export interface RedactionNote {
  /** Values with the entity that they are of, in the order in which they were found. */
  readonly values: readonly (readonly [value: string, entity: Entity])[]
  /** Values that the function of the host has found, as they stand in texts. */
  readonly named: readonly (readonly [text: string, entity: Entity])[]
  readonly leftOutLinks: number
}

/** Audit of the redaction of a document. */
export interface RedactionAudit {
  mode: 'accurate' | 'aggressive' | 'fast'
  /** Number of different values, by kind; kinds without any are absent. */
  counts: Partial<Record<Entity, number>>
  /** True if a function of the host has looked for names of persons, which rules cannot find. */
  names: boolean
  /** Number of links that a crawl does not follow, because their addresses have personal data. @default none */
  unfollowedLinks?: number
}

/** Deepest data that is redacted. What lies deeper is left out: a page must not end the process by its depth. */
const MAX_DEPTH = 400

/** Names of fields that trawl sets itself, or the caller. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['scrapeId', 'sourceURL'])

/** Numbers that may be one of a person, as data has them. */
const MIN_NUMBER = 1e7

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Redacts the texts of one page. The same value has the same placeholder in all of them. */
export class Redactor implements Rewriter {
  readonly #slice: RedactionSlice
  readonly #entities: ReadonlySet<Entity>
  /** Number of each value among those of its entity. */
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Map<Entity, number>()
  readonly #values: (readonly [string, Entity])[] = []
  readonly #named = new Map<string, Entity>()
  #namedPattern: RegExp | undefined
  #leftOutLinks = 0

  constructor(slice: RedactionSlice, note?: RedactionNote) {
    this.#slice = slice
    this.#entities = new Set(slice.entities)
    for (const [value, entity] of note?.values ?? []) this.#count(value, entity)
    if (note) this.addNamed(note.named)
    this.#leftOutLinks = note?.leftOutLinks ?? 0
  }

  rewrite<Data>(data: Data): Data {
    return this.#rewrite(data, '', 0) as Data
  }

  leaveOut(links: number): void {
    // A page may be digested twice.
    this.#leftOutLinks = Math.max(this.#leftOutLinks, links)
  }

  note(): RedactionNote {
    return { values: [...this.#values], named: [...this.#named], leftOutLinks: this.#leftOutLinks }
  }

  /** Redacts texts that the function of the host has found, wherever they stand. */
  addNamed(named: Iterable<readonly [text: string, entity: Entity]>): void {
    for (const [text, entity] of named)
      if (this.#entities.has(entity) && text.trim().length > 1) this.#named.set(text.trim(), entity)
    this.#namedPattern = this.#named.size === 0 ? undefined : patternOf([...this.#named.keys()])
  }

  audit(): RedactionAudit {
    const counts = Object.fromEntries(
      entities.flatMap((entity) => {
        const count = this.#counts.get(entity)
        return count === undefined ? [] : [[entity, count]]
      }),
    )
    const names = this.#slice.mode !== 'fast' && this.#entities.has('PERSON')
    const left = this.#leftOutLinks
    return { mode: this.#slice.mode, counts, names, ...(left > 0 && { unfollowedLinks: left }) }
  }

  #rewrite(data: unknown, name: string, depth: number): unknown {
    if (typeof data === 'string') return this.#rewriteText(data, name)
    if (typeof data === 'number') return this.#rewriteNumber(data, name)
    if (typeof data !== 'object' || data === null) return data
    if (depth > MAX_DEPTH) return null
    if (Array.isArray(data)) {
      let isChanged = false
      const items = data.map((item: unknown) => {
        const rewritten = this.#rewrite(item, name, depth + 1)
        isChanged ||= rewritten !== item
        return rewritten
      })
      return isChanged ? items : data
    }
    return isPlain(data) ? this.#rewriteObject(data, name, depth) : data
  }

  #rewriteObject(data: object, name: string, depth: number): object {
    let isChanged = false
    const isMetadata = depth === 1 && name === 'metadata'
    const keys = new Set(Object.keys(data))
    const entries = Object.entries(data).map(([key, value]: [string, unknown]) => {
      const own = isMetadata && OWN_FIELDS.has(key)
      const rewrittenKey = this.#rewriteKey(key, keys)
      const rewritten = own ? value : this.#rewrite(value, key, depth + 1)
      isChanged ||= rewritten !== value || rewrittenKey !== key
      return [rewrittenKey, rewritten] as const
    })
    return isChanged ? Object.fromEntries(entries) : data
  }

  /** Redacts a key of data, so that no other one has the same. @param keys those of the object */
  #rewriteKey(key: string, keys: Set<string>): string {
    const written = this.#rewriteText(key, '')
    if (written === key) return key
    let own = written
    for (let number = keys.size; keys.has(own); number += 1) own = `${written} ${number}`
    keys.add(own)
    return own
  }

  /** Redacts a number only under a name that says what it is. */
  #rewriteNumber(data: number, name: string): unknown {
    if (!Number.isSafeInteger(data) || data < MIN_NUMBER || name === '') return data
    const text = String(data)
    const rewritten = this.#rewriteText(text, name)
    return rewritten === text || !/phone|tel|fax|mobile|card|account|ssn|id/i.test(name) ? data : rewritten
  }

  #rewriteText(text: string, name: string): string {
    if (text.length < 2) return text
    const found = findValues(text, { entities: this.#entities, isLoose: this.#slice.mode === 'aggressive', name })
    let written = ''
    let last = 0
    for (const { start, end, entity } of found) {
      const value = text.slice(start, end)
      written += text.slice(last, start) + this.#replace(value, entity) + markupWithin(value)
      last = end
    }
    const redacted = last === 0 ? text : written + text.slice(last)
    return this.#namedPattern ? this.#rewriteNamed(redacted, this.#namedPattern) : redacted
  }

  #rewriteNamed(text: string, pattern: RegExp): string {
    const write = (value: string): string => this.#replace(value, this.#named.get(value) ?? this.#entityOf(value))
    // As a reader reads it, with tags and references in it, and then as it is written: attributes have names as well.
    const { plain, toSource } = toPlainText(text)
    let [written, last] = ['', 0]
    for (const { 0: value, index } of plain.matchAll(pattern)) {
      const { start, end } = toSource(index, index + value.length)
      written += text.slice(last, start) + write(value) + markupWithin(text.slice(start, end))
      last = end
    }
    return (written + text.slice(last)).replace(pattern, write)
  }

  #entityOf(value: string): Entity {
    const folded = foldName(value)
    for (const [text, entity] of this.#named) if (foldName(text) === folded) return entity
    return 'PERSON'
  }

  #replace(value: string, entity: Entity): string {
    const number = this.#count(value, entity)
    const { replaceStyle } = this.#slice
    return replaceStyle === 'tag' ? `[${entity}_${number}]` : replaceStyle === 'mask' ? '****' : ''
  }

  #count(value: string, entity: Entity): number {
    const key = `${entity} ${unify(value, entity)}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = (this.#counts.get(entity) ?? 0) + 1
    this.#numbers.set(key, number)
    this.#counts.set(entity, number)
    this.#values.push([value, entity])
    return number
  }
}

/** Writes ways to write one value in one way: `+49 (0)30 12` as `+4930 12` and `Jo&#64;X.com` as `jo@x.com`. */
function unify(value: string, entity: Entity): string {
  const { plain } = toPlainText(value)
  switch (entity) {
    case 'EMAIL':
      return plain.replaceAll(/\s?[[({<]\s?(?:at|ät|arroba|chiocciola)\s?[\])}>]\s?/gi, '@').toLowerCase()
    case 'PHONE':
      return plain.replaceAll(/\(0\)|\D/g, '').replace(/^00/, '')
    case 'FINANCIAL':
      return plain.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()
    case 'PERSON':
    case 'LOCATION':
      return foldName(plain)
    default:
      return plain.replaceAll(/\s+/g, ' ')
  }
}

/**
 * Makes a pattern of names as they stand in texts and in URLs: `Anna Berg`, `Anna%20Berg`, `Anna+Berg`, `/anna-berg`. Names are
 * divided by their first letter, so that few are compared at each place.
 */
function patternOf(names: readonly string[]): RegExp {
  const byFirst = new Map<string, string[]>()
  const add = (words: readonly string[], between: string): void => {
    const [first = '', ...others] = Array.from(words.join('\n').toWellFormed())
    const rest = others.map((sign) => (sign === '\n' ? between : toSign(sign))).join('')
    byFirst.set(first, [...(byFirst.get(first) ?? []), rest])
  }
  for (const name of names.toSorted((one, other) => other.length - one.length)) {
    const words = name.split(/\s+/)
    add(words, String.raw`(?:[\s+._-]|%20|%C2%A0)+`)
    if (words.length > 1)
      add(
        words.map((word) => word.toLowerCase()),
        '[-_.+]',
      )
  }
  const groups = [...byFirst].map(([first, rests]) => `${toSign(first)}(?:${rests.join('|')})`)
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?<=%[\\dA-F]{2}))(?:${groups.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
}

/** Writes the pattern of a letter, as it is and as it is encoded in URLs. */
function toSign(sign: string): string {
  const plain = sign.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`)
  const encoded = encodeURIComponent(sign)
  return encoded === sign ? plain : `(?:${plain}|${encoded})`
}

/** Writes the ways to write a name in one way. */
const foldName = (name: string): string =>
  (/%[\dA-F]{2}/.test(name) ? decodePercent(name) : name).replaceAll(/[\s+._-]+/g, ' ').toLowerCase()
