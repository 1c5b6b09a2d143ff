import { isSlowFile } from '../../parse/parse.js'
import type { ParserInput } from '../../parse/parser.js'
import type { DigestPlan } from '../digest.js'

const MAX_SELECTORS = 100

/** More than one step, or a pseudo-class with an argument: what they cost is up to the page. */
const COSTLY_SELECTOR = /[\s>+~].*[\s>+~]|[~+]|\(/

/** Whether a page can be digested between two turns of the caller's event loop: it is small, and neither a selector nor a rule makes it long. */
export function isCheap(
  input: ParserInput,
  { extract, convert, probe, track }: DigestPlan,
  inlineBytes: number,
): boolean {
  // The page as it was may be of any size, however small it is now.
  if ((track?.previous?.length ?? 0) > inlineBytes) return false
  if (input.body.length > inlineBytes || probe?.rule !== undefined || isSlowFile(input)) return false
  const asked = convert.formats.flatMap((format) => ('selectors' in format ? format.selectors : []))
  const selectors = [...extract.includeTags, ...extract.excludeTags, ...asked.map(({ selector }) => selector)]
  return (
    selectors.length <= MAX_SELECTORS &&
    selectors.every((selector) => !COSTLY_SELECTOR.test(selector.slice(0, 200)) && selector.length <= 200)
  )
}
