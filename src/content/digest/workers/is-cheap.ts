import { isSlowFile } from '../../parse/parse.js'
import type { ParserInput } from '../../parse/parser.js'
import type { DigestPlan } from '../digest.js'

const MAX_SELECTORS = 100

/** Matches selectors with combinators or arguments, whose cost depends on the page. */
const COSTLY_SELECTOR = /[\s>+~].*[\s>+~]|[~+]|\(/

/**
 * Tests whether a page is cheap enough to digest on the caller's thread: small, without costly selectors, and without a query, whose
 * cost depends on the page.
 */
export function isCheap(
  input: ParserInput,
  { extract, convert, query, track }: DigestPlan,
  inlineBytes: number,
): boolean {
  // A small page may have a large last snapshot.
  if ((track?.previous?.length ?? 0) > inlineBytes) return false
  if (input.body.length > inlineBytes || query !== undefined || isSlowFile(input)) return false
  const asked = convert.formats.flatMap((format) => ('selectors' in format ? format.selectors : []))
  const selectors = [...extract.includeTags, ...extract.excludeTags, ...asked.map(({ selector }) => selector)]
  return (
    selectors.length <= MAX_SELECTORS &&
    selectors.every((selector) => !COSTLY_SELECTOR.test(selector.slice(0, 200)) && selector.length <= 200)
  )
}
