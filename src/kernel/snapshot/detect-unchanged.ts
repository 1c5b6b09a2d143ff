import type { FetchedPage } from '../fetch/fetched-page.js'
import type { LastSeen, Validators } from '../fetch/fetcher.js'
import { hashBody } from '../../base/store/checksum.js'
import { withoutFragment } from '../../base/url.js'

/** The result of comparing a response with the version of the page seen last. */
type UnchangedCheck =
  /** The page is unchanged, for this reason. */
  | { readonly unchanged: string }
  /** The 304 is not about the requested version: the page must be fetched again without a condition. */
  | 'fetch again'
  | undefined

/** Compares a response with the version of the page seen last. Undefined when the page has changed. */
export async function detectUnchanged(
  page: FetchedPage,
  { bodyHash, validators, url }: LastSeen,
): Promise<UnchangedCheck> {
  if (page.statusCode === 304 && validators) {
    if (!isAbout(page, validators)) return 'fetch again'
    const [what, value] = validators.etag === undefined ? ['date', validators.lastModified] : ['ETag', validators.etag]
    return { unchanged: `the site answered 304 Not Modified for ${what} ${value}` }
  }
  // At another URL, its links lead elsewhere.
  if (url !== undefined && withoutFragment(new URL(page.url)).href !== url) return undefined
  if (page.statusCode < 200 || page.statusCode > 299 || (await hashBody(page.body)) !== bodyHash) return undefined
  return { unchanged: 'the body of the page is byte for byte the same as last time' }
}

/** Tests that a 304 is about the URL and version of the validators. @see RFC 9110 section 15.4.5 */
function isAbout({ url, headers }: FetchedPage, validators: Validators): boolean {
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '')
  const { etag } = headers
  if (withoutFragment(new URL(url)).href !== validators.url) return false
  return etag === undefined || validators.etag === undefined || weak(etag) === weak(validators.etag)
}

/** The data that identifies this version of a page later. */
export const toLastSeen = async (page: FetchedPage, validators: Validators | undefined): Promise<LastSeen> => ({
  bodyHash: await hashBody(page.body),
  validators,
})
