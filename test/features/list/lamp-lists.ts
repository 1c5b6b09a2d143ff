import type { List } from '../../../src/index.js'
import type { ListStep } from '../../../src/features/list/whole/list-ending.js'
import { type Exchange, type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import type { EngineSite } from '../../site/engine-site.js'
import { readEntries } from '../../site/lists/read-entries.js'

/** An entry of the lists of these tests. */
export interface Lamp {
  readonly id: number
  readonly name: string
  readonly hours: number
}

/** Returns the lamps with the numbers `from` to `to - 1`. */
export const listLamps = (from: number, to: number): Lamp[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
    id: from + at,
    name: `Deck lamp ${from + at}`,
    hours: from + at + 2,
  }))

export const printRow = ({ id, name, hours }: Lamp): string =>
  `<li class="lamp"><h3><a href="/lists/entry/${id}">${name}</a></h3><p class="hours">${hours} hours</p></li>`

interface LampPage {
  /** URL of the first request. */
  readonly first?: string
  /** JavaScript for the URL after an `answer` to `url`; false at the end. */
  readonly next?: string
  readonly method?: string
  /** JavaScript for the lamps of an `answer` that are shown. @default all of them */
  readonly shown?: string
}

/** Shows ten lamps, and loads more with a button until there is no next URL. */
export const lampPage =
  ({
    first = '/api?cursor=c10',
    next = `answer.next ?? (answer.cursor && '/api?cursor=' + answer.cursor)`,
    method = 'GET',
    shown = 'answer.lamps ?? answer.entries',
  }: LampPage = {}): Handler =>
  (exchange) => {
    const script = `
      const printRow = ${String(printRow)}
      const list = document.querySelector('ul')
      const button = document.querySelector('button')
      const init = { method: '${method}', headers: { accept: 'application/json, text/plain' } }
      let url = '${first}'
      button.addEventListener('click', async () => {
        const answer = await (await fetch(url, init)).json()
        for (const lamp of ${shown}) list.insertAdjacentHTML('beforeend', printRow(lamp))
        url = ${next}
        if (!url) button.remove()
      })`
    const rows = listLamps(0, 10).map(printRow).join('')
    const body = `<ul>${rows}</ul><button type="button">Load more</button><script>${script}</script>`
    sendPage(exchange, htmlPage('Lamps', body))
  }

/** Tests for a request that the browser has sent. */
export const isBrowser = ({ headers }: Pick<Exchange['request'], 'headers'>): boolean =>
  headers['sec-fetch-mode'] !== undefined

/** Reads the list of `/lamps` to its end. */
export async function readLamps(
  on: EngineSite,
  most?: number,
): Promise<{ list: List; steps: readonly ListStep[]; credits: number | undefined }> {
  const formats = [{ type: 'list', all: true, ...(most !== undefined && { most }) }] as const
  const scrapeOptions = { formats: [...formats], headers: { 'x-key': 'secret' }, timeout: 60_000 }
  const job = on.engine.crawl({ url: on.site.url('/lamps'), limit: 1, sitemap: 'skip', scrapeOptions })
  const { data } = await job.finished()
  const row = await job.explain(on.site.url('/lamps'))
  const steps = (row && 'attempts' in row && row.attempts.at(-1)?.list) || []
  const list = data[0]?.list
  if (!list) throw new Error('the page has no list')
  return { list, steps, credits: data[0]?.metadata.creditsUsed }
}

export const entriesOf = ({ items }: List): number[] =>
  readEntries(JSON.stringify(items)).toSorted((one, other) => one - other)

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
