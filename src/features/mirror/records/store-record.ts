import { createHash, randomUUID } from 'node:crypto'
import { compact } from '../../../base/collections/compact.js'
import { isObject } from '../../../base/collections/is-object.js'
import { TrawlError } from '../../../base/errors.js'
import type { Json, Store } from '../../../base/store/store.js'
import { updateEntry } from '../../../base/store/update-entry.js'
import type { MirrorEntry, MirrorHead, MirrorRecord } from '../mirror-record.js'

/** Number of parts over which the entries of a mirror are spread: a change writes one of them. */
const PARTS = 256

const partOf = (key: string): number => createHash('sha256').update(key).digest().readUInt8(0)

/**
 * Keeps the record of a mirror in a store, such as that of `snapshots`. Where a page has moved, its new entry is written first: a process
 * that dies in between leaves the old one for the next run.
 */
export function storeRecord(store: Store, name: string): MirrorRecord {
  const headKey = `mirror ${JSON.stringify(name)}`
  const partKey = (part: number): string => `${headKey} ${part}`
  const parts = new Map<number, Map<string, MirrorEntry>>()
  /** Parts that have been written: one of them that is missing is lost. */
  const written = new Set<number>()
  const stored = storedHead(store, headKey, name)
  let head: MirrorHead | undefined
  const writeHead = async (next = head): Promise<void> => {
    const facts = { head: (next ? compact(next) : null) as unknown as Json, parts: [...written] }
    await stored.write(facts, (next?.run ?? 0) > (head?.run ?? 0))
    head = next
  }
  const partFor = (key: string): [number, Map<string, MirrorEntry>] => {
    const part = partOf(key)
    const entries = parts.get(part) ?? new Map<string, MirrorEntry>()
    parts.set(part, entries)
    return [part, entries]
  }
  const writePart = async (part: number): Promise<void> => {
    const entries = [...(parts.get(part)?.values() ?? [])].map((entry) => compact(entry))
    await store.set(partKey(part), { facts: { entries: entries as unknown as Json } })
    if (written.has(part)) return
    written.add(part)
    await writeHead()
  }
  return {
    async load() {
      const facts = await stored.load()
      head = isObject(facts['head']) ? (facts['head'] as unknown as MirrorHead) : undefined
      for (const part of Array.isArray(facts['parts']) ? (facts['parts'] as number[]) : []) written.add(part)
      for (let part = 0; part < PARTS; part += 1) {
        if (!written.has(part)) continue
        const own = (await store.get(partKey(part)))?.facts
        const entries = isObject(own) ? own['entries'] : undefined
        if (!Array.isArray(entries)) {
          const message = `the record of the mirror ${name} is damaged: a part of it is missing in the store of \`snapshots\`. Mirror under another name`
          throw new TrawlError('LEDGER_ERROR', message)
        }
        parts.set(part, new Map((entries as unknown as MirrorEntry[]).map((entry) => [entry.key, entry])))
      }
      return { head, entries: [...parts.values()].flatMap((entries) => [...entries.values()]) }
    },
    checkAlone: () => stored.check(),
    async save({ put = [], remove = [] }) {
      await stored.check()
      const added = new Set<number>()
      const left = new Set<number>()
      for (const entry of put) {
        const [part, entries] = partFor(entry.key)
        entries.set(entry.key, entry)
        added.add(part)
      }
      for (const part of added) await writePart(part)
      for (const key of remove) {
        const [part, entries] = partFor(key)
        entries.delete(key)
        left.add(part)
      }
      for (const part of left) await writePart(part)
    },
    saveHead: writeHead,
  }
}

/** The head of a mirror in a store, with the id of who has begun its last run: nobody else writes it. */
function storedHead(store: Store, key: string, name: string) {
  let owner: Json | undefined
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const facts = (await store.get(key))?.facts
    return isObject(facts) ? facts : {}
  }
  const throwUnless = (isOwn: boolean): void => {
    if (!isOwn)
      throw new TrawlError('JOB_HELD', `another process has begun to fill the mirror ${name}: only one at a time can`)
  }
  return {
    async load() {
      const facts = await read()
      owner = typeof facts['owner'] === 'string' ? facts['owner'] : undefined
      return facts
    },
    /** @throws TrawlError `JOB_HELD` where another process has begun a run since */
    check: async () => throwUnless(((await read())['owner'] ?? owner) === owner),
    /** @param begins true for a run that is begun here @throws TrawlError `JOB_HELD` */
    async write(facts: Readonly<Record<string, Json>>, begins: boolean) {
      const own = begins ? randomUUID() : owner
      await updateEntry(store, key, (stored) => {
        const found = isObject(stored?.facts) ? stored.facts['owner'] : owner
        // Its own: the answer to the change was lost.
        throwUnless(found === owner || found === own)
        return { facts: own === undefined ? facts : { ...facts, owner: own } }
      })
      owner = own
    },
  }
}
