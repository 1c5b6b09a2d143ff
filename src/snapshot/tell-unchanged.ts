import type { FetchedPage } from '../fetch/fetched-page.js'
import type { LastSeen, Validators } from '../fetch/fetcher.js'
import { hashOf } from '../store/checksum.js'
import { withoutFragment } from '../url.js'

/** What came of asking for a page that was seen before. */
export type Finding =
  /** It is the same still: why. */
  | { readonly unchanged: string }
  /** The answer is no answer to what was asked: the page is to be fetched whole. */
  | 'ask again'
  | undefined

/** Whether a page that came in is the one that was seen before. */
export function tellUnchanged(page: FetchedPage, { bodyHash, validators }: LastSeen): Finding {
  if (page.statusCode === 304 && validators) {
    if (!isAbout(page, validators)) return 'ask again'
    const [what, value] = validators.etag === undefined ? ['date', validators.lastModified] : ['ETag', validators.etag]
    return { unchanged: `the site answered 304: the page is still that of ${what} ${value}` }
  }
  if (page.statusCode < 200 || page.statusCode > 299 || hashOf(page.body) !== bodyHash) return undefined
  return { unchanged: 'the page came in again byte for byte as it was' }
}

/** A 304 for the URL that the validators are of, and for no other version of it. @see RFC 9110 section 15.4.5 */
function isAbout({ url, headers }: FetchedPage, validators: Validators): boolean {
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '')
  const { etag } = headers
  if (withoutFragment(new URL(url)).href !== validators.url) return false
  return etag === undefined || validators.etag === undefined || weak(etag) === weak(validators.etag)
}

/** What a page is told by the next time. */
export const seeNow = (page: FetchedPage, validators: Validators | undefined): LastSeen => ({
  bodyHash: hashOf(page.body),
  ...(validators && { validators }),
})
