import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { List } from './row-list.js'
import type { ListRow } from '../../content/extract/list/page-list.js'
import { serializeNext } from '../../kernel/job/delivery/document-stream.js'
import { RowMemory } from './row-memory.js'

/**
 * Reads the rows of documents, each once.
 *
 * @param documents an iterator, which is closed with the returned one
 */
export function readItems(documents: AsyncIterator<{ readonly list?: List }>): AsyncIterableIterator<ListRow> {
  const known = new RowMemory()
  let rows: Iterator<ListRow | undefined> = [].values()
  let isClosed = false

  const take = async (): Promise<IteratorResult<ListRow>> => {
    for (;;) {
      // A page may have 10,000 rows that are all known.
      await yieldIfHeld()
      if (isClosed) return { done: true, value: undefined }
      const next = rows.next()
      if (next.done !== true) {
        if (next.value === undefined) continue
        return { done: false, value: next.value }
      }
      const page = await documents.next()
      if (page.done === true) return { done: true, value: undefined }
      rows = page.value.list ? known.addList(page.value.list) : [].values()
    }
  }

  return serializeNext<ListRow>(take, () => {
    isClosed = true
    rows = [].values()
    void documents.return?.()
    return { done: true, value: undefined }
  })
}
