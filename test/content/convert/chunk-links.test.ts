import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunks } from '../../../src/content/convert/formats/chunks.js'
import { extractHtml } from '../extract/contents.js'

const ORIGIN = 'https://site.test'
const filler = (name: string, count = 25): string => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')

/** Pages whose chunks begin or end with what is written in another way than it is shown. */
const pages: Readonly<Record<string, string>> = {
  code: `<p>${filler('a')}</p><h2>Code</h2><pre><code class="language-js">const first = call(1)\nconst second = 2</code></pre><h2>Call</h2><p>Use <code>a_b*c()</code> to read the file.</p>`,
  formula: `<p>${filler('a')}</p><h2>Sum</h2><p><math><mi>x</mi><mo>=</mo><mn>2</mn></math> is what the sum of all the rows gives.</p>`,
  notes: `<p>${filler('a')}</p><h2>Notes</h2><p>Lamps<sup><a href="#fn1" id="r1">1</a></sup> were lit by hand each evening.</p><ol><li id="fn1">Not all of them. <a href="#r1">↩</a></li></ol>`,
  images: `<p>${filler('a')}</p><h2>Image</h2><p><img src="/i.png" alt="A lamp of brass"> A keeper carries the lamp upstairs.</p>`,
  table: `<h2>Table</h2><table><tr><th>Name of lamp</th><th>Its price</th></tr>${Array.from({ length: 60 }, (_, at) => `<tr><td>lamp ${at}</td><td>price ${at}</td></tr>`).join('')}</table>`,
  spans: `<h2>Rows</h2><table><tr><th>Kind</th><th>Text</th></tr><tr><td rowspan="40">The same kind of lamp</td><td>first one</td></tr>${Array.from({ length: 39 }, (_, at) => `<tr><td>row with number ${at}</td></tr>`).join('')}</table>`,
  list: `<p>${filler('a')}</p><h2>List</h2><ul><li>[x] not a task, but a text</li><li><input type="checkbox" checked> a real task to do</li></ul><h2>Numbers</h2><ol start="7"><li>Seventh of the things</li></ol>`,
  escapes: `<p>${filler('a')}</p><h2>Signs</h2><p>1. *Not* a list_of_names, #1 &amp; [2] | &lt;b&gt; + 3</p>`,
  marks: `<p>${filler('a')}</p><h2>Marks</h2><p><b>Not</b>e: un<i>believ</i>able things <em>happen here</em> at night.</p>`,
  twice: `<ul><li>Opening hours</li></ul><p>${filler('a')}</p><h2>Opening hours</h2><p>None.</p><h2>Closing hours</h2><p>None.</p>`,
  words: `<p>The cathedral is old. ${filler('a')}</p><h2>Cat</h2><p>cat is the name of it</p>`,
  hidden: `<p hidden>A keeper lives here alone.</p><p>${filler('a')}</p><h2>Keeper</h2><p>A keeper lives here alone. He sleeps by day.</p>`,
  ids: `<p>${filler('a')}</p><h2 id="own">Own</h2><p>One.</p><section id="around"><h2>Around</h2><p>Two.</p></section><h2><span id="inside">Inside</span></h2><p>Three.</p><a name="before"></a><h2>Before</h2><p>Four.</p><h2 id="same">Same</h2><p>Five texts of one kind.</p><h2 id="same">Twice</h2><p>Six texts of one kind.</p><h2 id="ä b%2F">Sign</h2><p>Seven.</p>`,
  chinese: `<p>${filler('a')}</p><h2>灯</h2><p>灯塔在黄昏时点亮，黎明时熄灭。守塔人白天睡觉。</p>`,
  lines: `<p>${filler('a')}</p><h2>Lines</h2><p>A line<br>and the next one of it<br>end</p><pre>kept   as it\nis written here</pre>`,
}

const chunksOf = (name: string) =>
  chunks.convert(
    { ...extractHtml(`<body>${pages[name]}</body>`, { keepsPage: true }) },
    { type: 'chunks', maxTokens: 100 },
    { removeBase64Images: true },
  ).chunks

/** Code for the page, which returns the texts that are seen. */
const SEEN = `[...document.querySelectorAll('p,pre,li,tr,h2')]
  .filter((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
  .map(({ textContent }) => textContent)
  .join(' ')`

/** Returns what follows the URL of the page. */
const fragmentOf = (link: string): string => link.slice(link.indexOf('.html') + 5)

describe('links to chunks', () => {
  let browser: Browser
  let page: Page
  let scrolls = false

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromium.executablePath(), args: ['--no-sandbox'] })
    page = await browser.newPage({ viewport: { width: 800, height: 200 } })
    await page.route('**/*', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1)
      const body = name === 'plain' ? '<p>A sentence.</p><p>The last sentence.</p>' : pages[name]
      // Each block has a screen of its own, so that the place scrolled to tells the block.
      const style = '<style>p,pre,li,tr,h2{display:block;margin:300px 0}</style>'
      return body === undefined
        ? route.fulfill({ status: 404 })
        : route.fulfill({
            contentType: 'text/html; charset=utf-8',
            body: `<!DOCTYPE html>${style}<body>${body}</body>`,
          })
    })
    scrolls = await open('plain', '#:~:text=The%20last%20sentence').then(
      () => true,
      () => false,
    )
  })
  afterAll(() => browser.close())

  /** Opens a link, and returns the texts that are then seen. */
  async function open(name: string, fragment: string): Promise<string> {
    await page.goto('about:blank')
    await page.goto(`${ORIGIN}/${name}${fragment}`)
    await page.waitForFunction('document.scrollingElement?.scrollTop > 0', null, { timeout: 5000, polling: 50 })
    return page.evaluate<string>(SEEN)
  }

  it.for(Object.keys(pages))('lead a browser to their chunk, where they are given: %s', async (name, { skip }) => {
    skip(!scrolls, 'this browser scrolls to no text fragment, as the shell of npm: CI runs it with TEST_BROWSER=system')
    const made = chunksOf(name)
    const words = (text: string): string[] => text.match(/[\p{L}\p{N}]{2,}/gu) ?? []
    for (const { link, markdown } of made.slice(1)) {
      const fragment = fragmentOf(link)
      if (fragment === '') continue
      const seen = words(await open(name, fragment))
      const own = new Set(words(markdown))
      expect([fragment, seen.filter((word) => own.has(word)).length]).not.toEqual([fragment, 0])
      const others = made.filter((chunk) => chunk.markdown !== markdown).map((chunk) => new Set(words(chunk.markdown)))
      const count = (set: Set<string>): number => seen.filter((word) => set.has(word)).length
      for (const other of others) expect(count(own)).toBeGreaterThanOrEqual(count(other))
    }
  })

  it.each([
    ['code', ['#:~:text=const%20first%20%3D%20call(1', '#:~:text=Use%20a_b*c()%20to%20read%20the%20file']],
    ['formula', ['#:~:text=is%20what%20the%20sum%20of%20all%20the%20rows%20gives']],
    ['images', ['#:~:text=A%20keeper%20carries%20the%20lamp%20upstairs']],
    ['twice', ['', '']],
    [
      'ids',
      [
        '#own',
        '#around',
        '#inside',
        '#before',
        '#:~:text=Five%20texts%20of%20one%20kind',
        '#:~:text=Six%20texts%20of%20one%20kind',
        '#%C3%A4%20b%252F',
      ],
    ],
    ['hidden', ['#:~:text=A%20keeper%20lives%20here%20alone.%20He%20sleeps%20by%20day']],
    ['words', ['#:~:text=cat%20is%20the%20name%20of%20it']],
  ])('are ids of headings, or words that the page has once: %s', (name, fragments) => {
    expect(
      chunksOf(name)
        .slice(-fragments.length)
        .map(({ link }) => fragmentOf(link)),
    ).toEqual(fragments)
  })

  it('are given for nearly all chunks', () => {
    const all = Object.keys(pages).flatMap(chunksOf)
    expect(all.filter(({ link }) => fragmentOf(link) !== '').length / all.length).toBeGreaterThan(0.9)
  })

  it('lead to the page of a file', () => {
    const content = extractHtml('<p>Words of a file that nobody can find</p>', { keepsPage: true })
    const file = { ...content, page: { ...content.page, isFile: true as const } }
    const [made] = chunks.convert(file, { type: 'chunks' }, { removeBase64Images: true }).chunks
    expect(made?.link).toBe(content.page.url)
  })
})
