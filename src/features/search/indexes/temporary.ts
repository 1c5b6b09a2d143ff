import type { SearchIndex } from '../search-index.js'
import { openIndex } from '../thread/index-thread.js'

/**
 * Keeps the search index of an engine in the memory of its thread, up to a few megabytes, and the rest in an unnamed file
 * that the system deletes with the process.
 */
export function temporary(): SearchIndex {
  return Object.assign(openIndex(''), { isTemporary: true as const })
}
