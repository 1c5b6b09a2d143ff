import { parseUrl } from '../../../base/url.js'

/** Words of paths that number or divide the pages of a list. */
const PAGE_WORDS: ReadonlySet<string> = new Set(
  'page pages pag p seite pagina página strona sida side start offset index default home part older newer next after before'.split(
    ' ',
  ),
)

/** Maximum characters of a path that are compared. */
const MAX_PATH = 500

/**
 * Tests for a next page that is another text, such as the next chapter of a manual: the words of the two paths differ, or the
 * next one has a further word and no number. Pages of one list differ in their query, in a number or a letter.
 */
export function isChapter(next: string, current: string): boolean {
  const [one, other] = [parseUrl(next), parseUrl(current)]
  if (one === undefined || other?.host !== one.host) return false
  const [words, others] = [wordsOf(one), wordsOf(other)]
  if (words.some((word, at) => others[at] !== undefined && others[at] !== word)) return true
  return words.length > others.length && one.search === '' && !/\d/u.test(one.pathname)
}

/** Returns the words of a path without its file extension, numbers, single letters and the words of pagination. */
const wordsOf = ({ pathname }: URL): string[] =>
  decode(pathname)
    .slice(0, MAX_PATH)
    .toLowerCase()
    .replace(/\.[a-z]{2,5}\/?$/u, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !/\d/u.test(word) && !PAGE_WORDS.has(word))

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
