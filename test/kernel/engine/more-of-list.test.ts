import { describe, expect, it } from 'vitest'
import type { EngineConfig, ScrapeOptions } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const card = (at: number): string =>
  `<article class="card"><h3><a href="/lamps/${at}">Deck lamp number ${at}</a></h3><p>It burns for ${at} hours at sea.</p></article>`
const cards = (count = 8): string =>
  `<div class="cards">${Array.from({ length: count }, (_, at) => card(at + 20)).join('')}</div>`
const rows = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<tr><td>Lamp ${at}</td><td>${at * 7} hours</td></tr>`).join('')

/** Serves a page with this as its content. */
async function show(main: string, config: EngineConfig = { fetcher: 'http' }): Promise<void> {
  const page = `<!doctype html><html><head><title>Lamps</title></head><body><main><h1>Lamps for decks</h1>
    <p>All lamps that we make for the decks of boats, in the order in which they came.</p>${main}</main></body></html>`
  await on.open({ '/lamps': page }, config)
}

async function readWarning(options: ScrapeOptions = {}): Promise<string | undefined> {
  return (await on.engine.scrape(on.site.url('/lamps'), { onlyMainContent: false, ...options })).warning
}

async function warningOf(main: string): Promise<string | undefined> {
  await show(main)
  return await readWarning()
}

describe('a page fetched by HTTP that shows only a part of a list has a warning', () => {
  it.each([
    ['a button', `${cards()}<button>Load more</button>`, 'button is clicked', 'Load more'],
    [
      'one further out',
      `${cards()}<div><div><button>Show more results</button></div></div>`,
      'clicked',
      'Show more results',
    ],
    [
      'one among the items',
      `<ul><li>${[1, 2, 3].map(card).join('</li><li>')}</li></ul><p><a href="#">See more</a></p>`,
      'clicked',
      'See more',
    ],
    [
      'the last item',
      `<ul>${'<li>A lamp for decks</li>'.repeat(9)}<li> <button>Load more</button></li></ul>`,
      'clicked',
      'Load more',
    ],
    ['one in German', `${cards()}<a role="button">Mehr anzeigen</a>`, 'clicked', 'Mehr anzeigen'],
    ['one in Japanese', `${cards()}<button><span>もっと見る</span></button>`, 'clicked', 'もっと見る'],
    ['one in Chinese', `${cards()}<a href="javascript:void(0)">加载更多</a>`, 'clicked', '加载更多'],
    ['an input', `${cards()}<input type="button" value="Afficher plus">`, 'clicked', 'Afficher plus'],
    [
      'a count of rows',
      `<table aria-rowcount="500">${rows(9)}</table>`,
      'only the rows in view',
      'aria-rowcount="500"',
    ],
    [
      'a count of items',
      `<ul>${'<li aria-setsize="90">A lamp for decks</li>'.repeat(9)}</ul>`,
      'rows in view',
      'aria-setsize="90"',
    ],
    [
      'a count beside',
      `<p>Showing <b>8</b> of <b>1,250</b></p>${cards()}`,
      'a part of a list only',
      'Showing 8 of 1,250',
    ],
    ['a range beside', `${cards()}<p>1–8 von 50 Lampen</p>`, 'a part of a list only', '1–8 von 50 Lampen'],
    ['a mark for scripts', `${cards()}<div data-infinite-scroll="/api"></div>`, 'scrolled', 'data-infinite-scroll'],
    ['a mark by its name', `${cards()}<div class="js-load-more"></div>`, 'scrolled', 'js-load-more'],
  ])('if it has %s', async (_what, main, warning, seen) => {
    const told = await warningOf(main)
    expect(told).toContain(warning)
    expect(told).toContain(`: ${seen}.`)
    expect(told).toContain('`actions`')
  })

  it.each([
    ['a link to the next part', `${cards()}<a href="/lamps?page=2">Load more</a>`],
    ['a button beside a row of pages', `${cards()}<button>Load more</button><nav><a href="/lamps?page=2">2</a></nav>`],
    ['a mark around a link', `${cards()}<div class="load-more"><a href="/lamps?page=2">Load more</a></div>`],
    ['a button that opens a text', `${'<p>The lamps burn for a long time.</p>'.repeat(9)}<button>Show more</button>`],
    ['one behind a list of words', `<ul>${'<li>A word of the text.</li>'.repeat(9)}</ul><button>Show more</button>`],
    ['one in each item', cards().replaceAll('</article>', '<button>Show more</button></article>')],
    ['one in one item', cards().replace('</article>', '<button>Show more</button></article>')],
    ['one that opens a part', `${cards()}<button aria-expanded="false">Show more</button>`],
    [
      'one that shows what is there',
      `${cards().replace('class="card"', 'class="card" style="display:none"')}<button>Show more</button>`,
    ],
    ['a hidden one', `${cards()}<button hidden>Load more</button>`],
    ['one with a hidden parent', `${cards()}<div class="d-none"><button>Load more</button></div>`],
    ['one of a menu', `<nav>${cards()}<button>Load more</button></nav>`],
    ['one of filters', `<ul>${'<li><input type="checkbox"> Brass</li>'.repeat(9)}</ul><button>Load more</button>`],
    ['one for details', `${cards()}<button>Show more details</button>`],
    ['a whole table', `<table aria-rowcount="9">${rows(9)}</table>`],
    ['a table of unknown length', `<table aria-rowcount="-1">${rows(9)}</table>`],
    ['slides', `<ul>${'<li aria-setsize="90" aria-roledescription="slide">A lamp</li>'.repeat(9)}</ul>`],
    ['a count of all', `<p>Showing 8 of 8</p>${cards()}`],
    ['a count of no list', `<p>Showing 5 of 50</p>${cards()}`],
    ['a count of pages', `<p>Showing 1-8 of 50</p>${cards()}<a rel="next" href="/lamps/more">Older</a>`],
    ['words with numbers', `${cards()}<p>8 of 50 lamps are made of brass</p>`],
    ['a mark without a list', '<p>The lamps burn for long.</p><div class="infinite-scroll"></div>'],
  ])('but not if it has %s', async (_what, main) => {
    // One of them hides an item.
    expect((await warningOf(main)) ?? '').toMatch(/^(?:10 words that no reader sees [^.]*\. [^.]*\.)?$/)
  })

  it('but not if the list is outside the content', async () => {
    await show(`<div class="beside">${cards()}<button>Load more</button></div>`)
    expect(await readWarning({ excludeTags: ['.beside'] })).toBeUndefined()
    expect(await readWarning({ includeTags: ['h1'] })).toBeUndefined()
    expect(await readWarning({ includeTags: ['.beside'] })).toContain('Load more')
  })

  it('also if it is read in a worker thread or from the cache', async () => {
    await show(`${cards()}<button>Load more</button>`, { fetcher: 'http', threads: 1 })
    expect(await readWarning()).toContain('Load more')
    expect(await readWarning()).toContain('Load more')
    expect(on.site.requests).toHaveLength(1)
  })

  it('but not if it has so many signs that only some are examined', async () => {
    const buttons = `${'<div role="button">'.repeat(400)}Load more${'</div>'.repeat(400)}`
    const grids = '<div aria-rowcount="0">'.repeat(400) + '</div>'.repeat(400)
    const counts = `<p>1-7 of 50</p>${'<div><i></i></div>'.repeat(20_000)}`.repeat(3)
    const marks = '<div class="load-more"></div>'.repeat(5_000)
    expect(await warningOf(`${cards()}${grids}${marks}${counts}${buttons}`)).toBeUndefined()
  })
})

describe('a page that was not fetched by HTTP', () => {
  it('but by a browser has only the warning of the browser', async () => {
    const hidden = '<style>.later { display: none }</style>'
    await show(`${hidden}${cards()}<button class="later">Load more</button>`, { fetcher: 'browser' })
    expect(await readWarning()).toBeUndefined()
  })

  it('but by a browser has one warning about its list', async () => {
    await show(`${cards()}<button>Load more</button>`, { fetcher: 'browser' })
    expect(await readWarning()).toBe(
      'The page shows more of a list when a button is clicked: use `expand: true`, or `actions` of type `click`.',
    )
  })

  it('but given by the caller has no warning about its list', async () => {
    await show('')
    const body = `<main><h1>Lamps</h1>${cards()}<button>Load more</button></main>`
    const { warning } = await on.engine.parse({ url: on.site.url('/lamps'), body }, { onlyMainContent: false })
    expect(warning).toBeUndefined()
  })
})
