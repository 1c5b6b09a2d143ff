import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'

const browser = openBrowser()
afterAll(() => browser.close())

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'
const items = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<li class="item">Item ${at}, with some words of its own</li>`).join('')

/** The warnings of a page with this in its body. */
async function warningsOf(body: string): Promise<readonly string[]> {
  await using site = await startSite({ pages: { '/': `<!doctype html><title>A</title><body>${prose}${body}` } })
  return (await browser.get(site.url('/'))).warnings ?? []
}

/** A list that brings ten more rows, of so many, when its end comes into view. */
const growing = (all: number): string => `<ul id="list"></ul><div id="end">&nbsp;</div><script>
  let shown = 0
  const add = () => {
    for (let at = 0; at < 10 && shown < ${all}; at++) {
      const item = list.appendChild(document.createElement('li'))
      item.textContent = 'Row ' + ++shown
      item.style.height = '200px'
    }
  }
  add()
  new IntersectionObserver(([entry]) => entry.isIntersecting && setTimeout(add, 30)).observe(end)
</script>`

/** A list of so many rows of 40 pixels, of which those in view are there. */
const virtual = (
  all: number,
): string => `<div style="height: 400px; overflow: auto"><div id="room" style="position: relative; height: ${all * 40}px"></div></div>
<script>
  for (let at = 0; at < Math.min(10, ${all}); at++) {
    const row = room.appendChild(document.createElement('div'))
    row.textContent = 'Row ' + at
    row.style.cssText = 'position: absolute; height: 40px; top: ' + at * 40 + 'px'
  }
</script>`

describe('a warning about a partial list', () => {
  it.each([
    ['grows as it is scrolled', growing(100_000), 'loads more when it is scrolled'],
    ['has a button for more', `<ul>${items(10)}</ul><button>Load more</button>`, 'when a button is clicked'],
    [
      'has one in another language',
      `<ul>${items(10)}</ul><div><button>Mehr anzeigen</button></div>`,
      'button is clicked',
    ],
    [
      'has one as the last item',
      `<ul>${items(10)}<li class="item"><button>Load more</button></li></ul>`,
      'button is clicked',
    ],
    ['has one that is a link', `<div>${items(10)}<a href="#">加载更多</a></div>`, 'when a button is clicked'],
    ['has a virtual list', virtual(100), 'only the rows in view are there'],
    ['has one with room below', `<div>${items(9)}<div style="height: 5000px"></div></div>`, 'only the rows in view'],
    [
      'says how long its table is',
      `<div role="grid" aria-rowcount="100"><div role="row">a</div><div role="row">b</div></div>`,
      'only the rows in view',
    ],
    ['says which part it shows', `<p>Showing <b>10</b> of <b>50</b></p><ul>${items(10)}</ul>`, 'a part of a list only'],
  ])('is given if the page %s', async (_what, body, warning) => {
    expect(await warningsOf(body)).toEqual([expect.stringContaining(warning)])
  })

  it.each([
    ['grows to its end', growing(60)],
    ['brings a part when it is in view', growing(20)],
    ['has all rows of its list', virtual(9)],
    ['has a link to another page', `<ul>${items(10)}</ul><a href="/more">Show more</a>`],
    ['has a button that opens a part', `<ul>${items(10)}</ul><button aria-expanded="false">Show more</button>`],
    ['has a button for more without a list', `<div>${prose}</div><button>Show more</button>`],
    [
      'has such a button in each item',
      `<div>${'<div class="card"><p>Words of one item</p><button>Show more</button></div>'.repeat(9)}</div>`,
    ],
    ['has a hidden button', `<ul>${items(10)}</ul><button style="display: none">Load more</button>`],
    ['has such a button in its navigation', `<nav><ul>${items(10)}</ul><button>Show more</button></nav>`],
    ['says that it shows all', `<p>Showing 10 of 10</p><ul>${items(10)}</ul>`],
    ['has further pages', `<p>Showing 1-10 of 50</p><ul>${items(10)}</ul><a rel="next" href="/2">2</a>`],
    ['is high', `<div style="min-height: 3000px"><p>${'word '.repeat(300)}</p><p>x</p><section>y</section></div>`],
  ])('is not given if the page %s', async (_what, body) => {
    expect(await warningsOf(body)).toEqual([])
  })

  it('is not given on ordinary pages', async () => {
    const folder = new URL('../../../fixtures/content/', import.meta.url)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    const pages = names.map((name, at): [string, string] => [`/${at}`, readFileSync(new URL(name, folder), 'utf8')])
    await using site = await startSite({ pages: Object.fromEntries(pages) })
    expect(names.length).toBeGreaterThan(5)
    for (const [at, name] of names.entries()) {
      expect((await browser.get(site.url(`/${at}`))).warnings, name).toBeUndefined()
    }
  })
})
