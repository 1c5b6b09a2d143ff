import { type ArchiveRecord, readTime, targetOf } from './archive-record.js'

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

  get size(): number {
    return this.#open.size
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
    const one = { revisit, url, timeMs }
    for (const key of keys) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), one])
    if (keys.length > 0) this.#open.add(one)
    return keys.length > 0
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
