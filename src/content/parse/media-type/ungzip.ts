import { gunzipSync } from 'node:zlib'
import { TrawlError } from '../../../base/errors.js'

/** Maximum unpacked size of a gzip file, in bytes. */
const MAX_BYTES = 33_554_432

/**
 * Unpacks a gzip file; undefined if it is broken.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 * @see https://www.rfc-editor.org/rfc/rfc1952
 */
export function ungzip(body: Uint8Array, url: string): Uint8Array | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `The gzip file has more than ${MAX_BYTES} bytes after decompression`
      throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', message, { url, cause: error })
    }
    return undefined
  }
}
