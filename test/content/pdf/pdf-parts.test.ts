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
      page: 1,
      width: 612,
      height: 792,
      markdown: expect.stringMatching(/^# A Chapter\n\nThe [^]+in the midst\n[^]+A note/),
    },
    { page: 2, width: 612, height: 792, markdown: 'of what it says, and ends here. Another line follows.' },
  ])
})

it('option `blocks` gives each block with its page and its position', async () => {
  await on.open({})
  const { pages, blocks } = await on.engine.parse(
    { body, url: 'https://a.test/x.pdf' },
    { formats: ['links'], parsers: [{ type: 'pdf', blocks: true }] },
  )
  expect(pages).toBeUndefined()
  expect(blocks?.map(({ type, page }) => `${type} ${page}`)).toEqual([
    'heading 1',
    'paragraph 1',
    'footnote 1',
    'paragraph 2',
  ])
  const [heading, paragraph] = blocks ?? []
  expect(heading).toMatchObject({ level: 1, markdown: '# A Chapter', box: { left: 72, top: 67.2, bottom: 83.2 } })
  expect(paragraph?.box).toMatchObject({ left: 72, top: 102, bottom: 136 })
  expect(paragraph?.box?.right).toBeGreaterThan(300)
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
