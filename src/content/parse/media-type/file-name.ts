import { lastSegmentOf } from '../../../base/url.js'

/** Maximum length of a name that is parsed. */
const MAX_NAME_LENGTH = 500

/**
 * Returns the file name in a `Content-Disposition` header: `filename*` if it is there, otherwise `filename`.
 *
 * @param disposition the header, verbatim
 * @see https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 * @see https://www.rfc-editor.org/rfc/rfc8187#section-3.2
 */
export function readFileName(disposition: string | undefined): string | undefined {
  const header = disposition?.slice(0, 4000)
  if (header === undefined) return undefined
  const name = readExtended(header) ?? readPlain(header)
  // A name with a path could write outside of the folder in which a caller stores the file.
  const bare = name?.slice(0, MAX_NAME_LENGTH).split(/[/\\]/).at(-1)?.trim()
  return bare === undefined || bare === '' ? undefined : bare
}

/** Reads `filename*=UTF-8''na%C3%AFve.csv`. */
function readExtended(header: string): string | undefined {
  const [, charset, encoded] = /;\s*filename\*\s*=\s*"?([\w-]{1,40})'[\w-]{0,40}'([^;"\s]+)/i.exec(header) ?? []
  if (charset === undefined || encoded === undefined) return undefined
  const bytes = encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  const encoding = /^utf-?8$/i.test(charset) ? 'utf8' : 'latin1'
  return Buffer.from(bytes, 'latin1').toString(encoding)
}

/** Reads `filename="a \"quoted\" name.csv"`, or a name without quotation marks. */
function readPlain(header: string): string | undefined {
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))/i.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? token
}

/** Returns the name of a file: from its server, otherwise the last segment of the URL's path. */
export const nameOfFile = ({ fileName, url = '' }: { readonly fileName?: string; readonly url?: string }): string =>
  fileName ?? lastSegmentOf(url)

/** Returns the extension of a name in lower case; for a name without one, such as `Makefile`, the whole name. */
export function extensionOf(name: string): string {
  const lower = name.toLowerCase()
  return lower.slice(lower.lastIndexOf('.') + 1)
}
