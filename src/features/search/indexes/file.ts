import { checkArgument, nonEmptyString, notInMemory } from '../../../base/runtime/check-options.js'
import type { SearchIndex } from '../search-index.js'
import { openIndex } from '../thread/index-thread.js'

/**
 * Keeps the search index of an engine in an SQLite file, so that it outlives the process together with a durable ledger.
 * Needs Node 22.13 or later, or the package `libsql`. The file has the text of the pages; it is created readable by its user
 * only. It must be on a local disk; several processes of the machine may share it. The engine closes it, so that engines
 * cannot share one object.
 *
 * @param path path of the file; created when absent, in an existing folder
 * @throws TypeError when `path` is not a path
 * @throws TrawlError `SEARCH_ERROR`, from the first call that needs the file
 * @example
 * const engine = createEngine({ ledger: postgres({ connectionString }), index: index('search.db') })
 */
export function file(path: string): SearchIndex {
  checkArgument('index(path)', path, nonEmptyString("the path of a file, such as 'search.db'"))
  checkArgument('index(path)', path, notInMemory('`index: true` keeps the index in memory'))
  return openIndex(path)
}
