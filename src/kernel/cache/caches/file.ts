import { checkFileOptions, fileStore, type FileStoreOptions } from '../../../base/store/stores/file.js'
import type { PageCache } from '../cache.js'
import { storeCache } from '../store-cache.js'

/**
 * Makes a cache in a folder. Pages outlive the process: a crawl on the next day neither fetches nor digests pages again
 * that the last crawl has stored. Engines and processes may share a folder. See `fileStore` for the failures that it
 * survives.
 *
 * @throws TypeError for options that are not allowed
 * @example createEngine({ cache: fileCache({ folder: './pages', maxBytes: 10 * 1024 ** 3 }) })
 */
export function fileCache(options: FileStoreOptions): PageCache {
  checkFileOptions('fileCache', options)
  return storeCache(fileStore(options))
}
