import type { PageList } from '../../../content/extract/list/page-list.js'
import type { NextPage } from '../../../content/extract/pagination/find-next-page.js'
import type { ListEnding, ListStep } from './list-ending.js'
import type { RowMerger } from './row-merger.js'

/** A page of a list, as far as it leads to the next one. */
export interface ListPage {
  /** URL of the page. */
  readonly url: string
  /** The list on the page; undefined if it is not there. */
  readonly list: PageList | undefined
  /** The next page that the page names; undefined for none. */
  readonly next: NextPage | undefined
}

/** Reads pages that follow the first page of a list. */
export interface PageReader {
  /** Reads a page. @returns the reason if it may not be requested @throws TrawlError; the signal's reason */
  read(next: NextPage, rows: RowMerger): Promise<ListPage | string>
  /** Guesses the next page of one that names none. @returns the reason if it cannot be told @throws the signal's reason */
  guess(page: ListPage): Promise<NextPage | string | undefined>
}

/** Pages without new rows after which a list is not followed further. */
const MAX_IDLE_PAGES = 2

/** The end of a list that was followed through its pages, with each step. */
export interface FollowedPages extends ListEnding {
  readonly steps: readonly ListStep[]
}

/** Reads the pages of a list after the first, until it ends. */
export async function followPages(first: ListPage, rows: RowMerger, reader: PageReader): Promise<FollowedPages> {
  const steps: ListStep[] = []
  const visited = new Set([first.url])
  let page = first
  let idlePages = 0
  let lacking: ListEnding | undefined
  for (;;) {
    const linked = page.next
    // A link to a further page is stronger than a text that states the end or the total.
    if (!linked && rows.hasTotal) return { steps, end: `all ${rows.entries} entries` }
    if (!linked && page.list?.end !== undefined) return { steps, ...endAt(page.list.end, lacking) }
    if (rows.isFull) return { steps, stoppedBy: rows.whyFull }
    const next = linked ?? (await reader.guess(page))
    if (next === undefined) return { steps, ...endWithoutNext(steps, lacking) }
    if (typeof next === 'string') return { steps, stoppedBy: next }
    if (visited.has(next.url)) return { steps, stoppedBy: `The next page, ${next.url}, was read before.` }
    visited.add(next.url)
    const answer = await reader.read(next, rows)
    // A page that was guessed may not be there.
    if (typeof answer === 'string') return { steps, stoppedBy: answer, lostPage: linked?.url }
    visited.add(answer.url)
    const added = answer.list === undefined ? 0 : rows.add(answer.list)
    steps.push({ how: 'pages', url: next.url, evidence: next.evidence, added })
    idlePages = added === 0 ? idlePages + 1 : 0
    if (answer.list === undefined) {
      lacking ??= { stoppedBy: `The list is not on ${next.url}.`, lostPage: linked?.url }
      if (answer.next === undefined) return { steps, ...lacking }
    }
    // A site answers a guessed page behind the last one with the last or the first page.
    if (idlePages === (linked === undefined ? 1 : MAX_IDLE_PAGES))
      return {
        steps,
        ...(rows.hasTotal ? { end: 'all entries' } : { stoppedBy: 'Further pages brought no new rows.' }),
      }
    page = answer
  }
}

/**
 * A page without a link to the next one is the last, if such a link led to it. One that brought nothing new may be
 * anything, such as the first page again.
 */
const endWithoutNext = (steps: readonly ListStep[], lacking: ListEnding | undefined): ListEnding =>
  (steps.at(-1)?.added ?? 0) > 0 ? endAt('the last page has no link to a next one', lacking) : {}

/** Returns the end of a list, which is not that of all of its rows if a page in between lacked them. */
const endAt = (end: string, lacking: ListEnding | undefined): ListEnding => lacking ?? { end }
