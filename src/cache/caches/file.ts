import { checkFileOptions, fileStore, type FileStoreOptions } from '../../store/stores/file.js'
import type { PageCache } from '../cache.js'
import { storeCache } from '../store-cache.js'

/**
 * Remembers pages as files in a folder, where they outlive the process: what a crawl fetched today need not be fetched, nor
 * be read anew, tomorrow. Engines and processes may share a folder. See `fileStore` for what it withstands.
 *
 * @throws TypeError for options that are not allowed
 * @example createEngine({ cache: fileCache({ folder: './pages', maxBytes: 10 * 1024 ** 3 }) })
 */
export function fileCache(options: FileStoreOptions): PageCache {
  checkFileOptions('fileCache', options)
  return storeCache(fileStore(options))
}
