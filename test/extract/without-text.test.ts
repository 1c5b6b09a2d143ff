import { expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'

const engine = createEngine({ threads: 0 })
const read = async (body: string): Promise<string> =>
  (await engine.parse({ url: 'https://site.test/', body })).markdown ?? ''

it.each([
  ['pictures', '<img src="a.jpg"><img src="b.jpg" alt="A tree">', /a\.jpg.*A tree/],
  [
    'linked pictures',
    '<div class="gallery"><a href="/1"><img src="1.jpg"></a><a href="/2"><img src="2.jpg"></a></div>',
    /1\.jpg.*2\.jpg/,
  ],
  [
    'pictures in a table',
    '<table><tr><td><img src="a.jpg"></td><td><img src="b.jpg"></td></tr></table>',
    /a\.jpg.*b\.jpg/,
  ],
  ['a film', '<video src="a.mp4" controls></video>', /a\.mp4/],
  [
    'a table',
    '<table><tr><td>1.5</td><td>2.5</td></tr><tr><td>3.5</td><td>4.5</td></tr></table>',
    /1\.5.*\n.*\n.*4\.5/,
  ],
])('a page of %s alone is kept', async (_, html, expected) => {
  expect(await read(html)).toMatch(expected)
})

it.each([
  ['a picture', '<img src="map.png" alt="Map of the harbour">', /map\.png/],
  ['a film', '<div><video src="a.mp4" controls></video></div>', /a\.mp4/],
])('a page of %s between header and footer gives that alone', async (_, html, expected) => {
  const markdown = await read(
    `<header><a href="/">Port</a></header><main>${html}</main><footer><p>© 2024 Port of Elm. All rights reserved.</p></footer>`,
  )
  expect(markdown).toMatch(expected)
  expect(markdown).not.toMatch(/rights reserved|Port\b(?! of)/)
})

it('a page of nothing but tracking pixels stays empty', async () => {
  expect(await read('<div id="root"></div><img src="https://count.test/x.gif" width="1" height="1">')).toBe('')
})
