import { expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'
import { lines, makePdf } from './make-pdf.js'

const on = useEngineSite()

/** Two pages: a heading, a paragraph that goes on over the end of the first, and a footnote. */
const body = makePdf([
  {
    pieces: [
      { text: 'A Chapter', x: 72, y: 80, size: 16, font: 'Times-Bold' },
      ...lines(
        [
          'The paragraph begins on the first page with a note, and its lines are as',
          'long as the lines of a paragraph may be, so that nobody can tell whether',
          'the sentence has come to its end or not, since it is parted in the midst',
        ],
        { x: 72, y: 110 },
      ),
      { text: '1', x: 72, y: 700, size: 5 },
      { text: 'A note at the foot of the page.', x: 76, y: 702, size: 8 },
    ],
  },
  { pieces: lines(['of what it says, and ends here.', 'Another line follows.'], { x: 72, y: 72 }) },
])

it('option `pages` gives each page separately, and leaves the Markdown of the file whole', async () => {
  await on.open({})
  const { pages, blocks, markdown } = await on.engine.parse(
    { body, url: 'https://a.test/x.pdf' },
    { parsers: [{ type: 'pdf', pages: true }] },
  )
  expect(markdown).toContain('parted in the midst of what it says')
  expect(blocks).toBeUndefined()
  expect(pages).toEqual([
    {
      pageNumber: 1,
      width: 612,
      height: 792,
      markdown: expect.stringMatching(/^# A Chapter\n\nThe [^]+in the midst\n[^]+A note/),
    },
    { pageNumber: 2, width: 612, height: 792, markdown: 'of what it says, and ends here. Another line follows.' },
  ])
})

it('option `blocks` gives each block with its position on the page and in the Markdown', async () => {
  await on.open({})
  const { pages, blocks, markdown } = await on.engine.parse(
    { body, url: 'https://a.test/x.pdf' },
    { parsers: [{ type: 'pdf', blocks: true }] },
  )
  expect(pages).toBeUndefined()
  expect(
    blocks?.map(({ items, ...page }) => ({ ...page, items: items.map(({ id, type }) => `${id} ${type}`) })),
  ).toEqual([
    {
      pageNumber: 1,
      width: 612,
      height: 792,
      status: 'ok',
      items: ['p1-b0 heading', 'p1-b1 paragraph', 'p1-b2 footnote'],
    },
    { pageNumber: 2, width: 612, height: 792, status: 'ok', items: ['p2-b0 paragraph'] },
  ])
  const items = (blocks ?? []).flatMap((page) => page.items)
  const [heading, paragraph, note] = items
  expect(heading).toMatchObject({
    label: null,
    level: 1,
    content: '# A Chapter',
    readingOrder: 0,
    source: 'text',
    confidence: { layout: null, ocr: null },
  })
  expect(heading?.bbox?.[1]).toBe(67.2)
  expect(paragraph?.bbox?.slice(0, 2)).toEqual([72, 102])
  expect(paragraph?.bbox?.[2]).toBeGreaterThan(300)
  expect(note?.content).toContain('A note at the foot')
  for (const { content, markdownSpan } of items) expect(markdown?.slice(...(markdownSpan ?? []))).toBe(content)
})

it('blocks have no place in a Markdown that was not asked for, and `pageMarkdown` is `pages`', async () => {
  await on.open({})
  const { pages, blocks } = await on.engine.parse(
    { body, url: 'https://a.test/x.pdf' },
    { formats: ['links'], parsers: [{ type: 'pdf', blocks: true, pageMarkdown: true }] },
  )
  expect(pages?.map(({ pageNumber }) => pageNumber)).toEqual([1, 2])
  expect(blocks?.flatMap(({ items }) => items.map(({ markdownSpan }) => markdownSpan))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

it('pages and blocks are absent unless requested, and for a page that is not a file', async () => {
  await on.open({})
  const plain = await on.engine.parse({ body, url: 'https://a.test/x.pdf' })
  const page = await on.engine.parse(
    { body: Buffer.from('<p>A page of the web.</p>'), url: 'https://a.test/' },
    { parsers: [{ type: 'pdf', pages: true, blocks: true }] },
  )
  for (const document of [plain, page]) expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['pages']))
})
