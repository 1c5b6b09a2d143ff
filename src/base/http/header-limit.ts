import { TrawlError } from '../errors.js'
import { withoutCredentials } from '../url.js'

/**
 * Checks the size of response headers, counted as in HTTP/1.1: with a colon, a space and a line end for each.
 *
 * @param headerBytes bytes, `limits.headerBytes`
 * @returns the error of headers that are too large
 */
export function checkHeaderSize(
  headers: Iterable<readonly [name: string, value: string]>,
  headerBytes: number,
  url: URL,
): TrawlError | undefined {
  let bytes = 0
  for (const [name, value] of headers) bytes += name.length + value.length + 4
  if (bytes <= headerBytes) return undefined
  const message = `\`${url.host}\` sent more response headers than \`limits.headerBytes\` (${headerBytes} bytes)`
  return new TrawlError('SCRAPE_HEADERS_TOO_LARGE', message, { url: withoutCredentials(url).href })
}
