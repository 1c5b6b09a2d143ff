import type { PageFunctions } from './page-functions.js'

/** Size of each value in addition to its content. Bytes. */
const VALUE_BYTES = 8
/** Size of binary data as base64, relative to the data. */
const BASE64_RATIO = 1.4

/**
 * Estimates the size that the databases of the page's origin have as JSON. Bytes. Stops as soon as it is more than
 * `maxBytes`.
 */
export const countDatabaseBytes: PageFunctions['countDatabaseBytes'] = async (maxBytes) => {
  let bytes = 0
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue
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

function countBytes(root: unknown, maxBytes: number): number {
  let bytes = 0
  const stack = [root]
  const seen = new Set<object>()
  while (stack.length > 0 && bytes <= maxBytes) {
    const value = stack.pop()
    bytes += VALUE_BYTES
    if (typeof value === 'string') bytes += value.length
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) bytes += value.byteLength * BASE64_RATIO
    else if (value instanceof Blob) bytes += value.size * BASE64_RATIO
    else if (value instanceof Map || value instanceof Set) stack.push(...[...value].slice(0, maxBytes / VALUE_BYTES))
    else for (const key in value) stack.push(key, Reflect.get(value, key))
  }
  return bytes
}
