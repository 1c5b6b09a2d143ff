import type { PageFunctions } from './page-functions.js'

/** Size of each value in addition to its content. Bytes. */
const VALUE_BYTES = 8
/** Size of binary data as base64, relative to the data. */
const BASE64_RATIO = 1.4
/** Maximum nesting of a value. Writers of JSON call themselves for each level, and overflow the stack at some thousands. */
const MAX_DEPTH = 200

/**
 * Estimates the size that the databases of the page's origin have as JSON. Bytes. Stops as soon as it is more than
 * `maxBytes`.
 */
export const countDatabaseBytes: PageFunctions['countDatabaseBytes'] = async (maxBytes) => {
  let bytes = 0
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue
    // The browser's driver refuses to read it, with all others.
    if (name === '') return Infinity
    const database = await ended(indexedDB.open(name))
    for (const storeName of database.objectStoreNames) {
      const store = database.transaction(storeName, 'readonly').objectStore(storeName)
      let cursor = await ended(store.openCursor())
      while (cursor && bytes <= maxBytes) {
        bytes += countBytes(cursor.key, maxBytes - bytes)
        bytes += countBytes(cursor.value, maxBytes - bytes)
        const { request } = cursor
        cursor.continue()
        cursor = await ended(request as IDBRequest<IDBCursorWithValue | null>)
      }
    }
    database.close()
    if (bytes > maxBytes) break
  }
  return bytes
}

async function ended<Result>(request: IDBRequest<Result>): Promise<Result> {
  return await new Promise((resolve, reject) => {
    const fail = (): void => reject(request.error ?? new Error('The database is blocked'))
    request.onsuccess = () => resolve(request.result)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the request of a cursor is waited for again and again
    request.onerror = fail
    if ('onblocked' in request) request.onblocked = fail
  })
}

/**
 * Estimates the size of a value as JSON, which has what is referenced twice twice: a value that contains itself, or 30
 * arrays that each contain the last one twice, are larger than any limit.
 */
function countBytes(root: unknown, maxBytes: number): number {
  let bytes = 0
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  while (stack.length > 0 && bytes <= maxBytes) {
    const { value, depth } = stack.pop() ?? { value: undefined, depth: 0 }
    bytes += VALUE_BYTES
    if (typeof value === 'string') bytes += value.length
    if (typeof value !== 'object' || value === null) continue
    if (depth === MAX_DEPTH) return Infinity
    const add = (part: unknown): unknown => stack.push({ value: part, depth: depth + 1 })
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) bytes += value.byteLength * BASE64_RATIO
    else if (value instanceof Blob) bytes += value.size * BASE64_RATIO
    else if (value instanceof Map || value instanceof Set) {
      if (value.size > maxBytes / VALUE_BYTES) return Infinity
      for (const part of value) add(part)
    } else {
      for (const key in value) {
        bytes += VALUE_BYTES + key.length
        if (bytes > maxBytes) break
        add(Reflect.get(value, key))
      }
    }
  }
  return bytes
}
