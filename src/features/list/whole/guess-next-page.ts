import type { NextPage } from '../../../content/extract/pagination/find-next-page.js'

const PAGE_NAMES = /^(?:page|p|pg|paged|pagenumber|page_number|pageno|seite|pagina)$/iu
const OFFSET_NAMES = /^(?:offset|start|from|skip|first|begin|startindex|start_index)$/iu

/**
 * Guesses the URL of the next page of a list from that of the current one: a page number is increased by one, an offset by
 * the number of rows. For a page that states that its list goes on, and has no link.
 */
export function guessNextPage(url: string, rows: number): NextPage | undefined {
  const next = new URL(url)
  for (const [name, value] of next.searchParams) {
    const step = PAGE_NAMES.test(name) ? 1 : OFFSET_NAMES.test(name) ? rows : 0
    if (step === 0 || !/^\d{1,9}$/u.test(value)) continue
    next.searchParams.set(name, String(Number(value) + step))
    return { url: next.href, evidence: `the parameter \`${name}\` of the URL` }
  }
  return undefined
}
