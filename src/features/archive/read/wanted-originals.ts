import { type ArchiveRecord, readTime, targetOf } from './archive-record.js'
import { parseHead } from './http-message.js'

/** Number of revisit records whose originals are looked for in one further reading of the archive, and the size of their heads. */
const MAX_WANTED = 20_000
const MAX_WANTED_BYTES = 64 * 1024 * 1024

/** A revisit record whose body is looked for. */
export interface WantedOriginal {
  readonly revisit: ArchiveRecord
  readonly url: string
  readonly timeMs: number | undefined
}

/** Revisit records, by what they say of the record that has their body. */
export class OriginalsWanted {
  readonly #byKey = new Map<string, WantedOriginal[]>()
  readonly #open = new Set<WantedOriginal>()
  #bytes = 0

  /** True if no more can be noted before some are found. */
  get isFull(): boolean {
    return this.#open.size >= MAX_WANTED || this.#bytes >= MAX_WANTED_BYTES
  }

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Notes a revisit record. @returns false if it says nothing of its original */
  add(revisit: ArchiveRecord, url: string, timeMs: number | undefined): boolean {
    const { fields } = revisit
    const id = fields.get('warc-refers-to')
    const target = fields.get('warc-refers-to-target-uri')?.replace(/^<|>$/g, '')
    const date = readTime(fields.get('warc-refers-to-date'))
    const digest = fields.get('warc-payload-digest')
    const keys = [
      ...(id === undefined ? [] : [id]),
      ...(target === undefined || date === undefined ? [] : [`${target} ${date}`]),
      ...(digest === undefined ? [] : [digest.toLowerCase()]),
    ]
    if (keys.length === 0) return false
    // What is kept is the head alone, in bytes of its own: a part of a buffer keeps all of it.
    const block = Buffer.from(revisit.block.subarray(0, parseHead(revisit.block)?.bodyAt ?? 0))
    const one = { revisit: { ...revisit, block }, url, timeMs }
    for (const key of keys) {
      const known = this.#byKey.get(key)
      if (known) known.push(one)
      else this.#byKey.set(key, [one])
    }
    this.#open.add(one)
    this.#bytes += block.length
    for (const value of fields.values()) this.#bytes += value.length
    return true
  }

  /** Tests whether a record has the body of one that is looked for. */
  has(fields: ReadonlyMap<string, string>): boolean {
    return keysOf(fields).some((key) => this.#byKey.get(key)?.some((one) => this.#open.has(one)))
  }

  /** Returns the revisit records whose body a record has, and looks for it no more. */
  take(fields: ReadonlyMap<string, string>): readonly WantedOriginal[] {
    const found = new Set(keysOf(fields).flatMap((key) => this.#byKey.get(key) ?? []))
    return [...found].filter((one) => this.#open.delete(one))
  }

  /** Returns all that are left. */
  takeAll(): readonly WantedOriginal[] {
    const left = [...this.#open]
    this.#open.clear()
    this.#byKey.clear()
    this.#bytes = 0
    return left
  }
}

function keysOf(fields: ReadonlyMap<string, string>): string[] {
  const target = targetOf({ fields })
  const date = readTime(fields.get('warc-date'))
  return [
    fields.get('warc-record-id') ?? '',
    target === undefined || date === undefined ? '' : `${target} ${date}`,
    fields.get('warc-payload-digest')?.toLowerCase() ?? '',
  ].filter((key) => key !== '')
}
