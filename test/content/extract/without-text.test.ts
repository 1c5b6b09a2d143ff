import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

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

it('the entries of an archive, which are links alone, are kept below its title', async () => {
  const entry = (at: number): string =>
    `<article class="post-${at}"><header class="post-header"><div class="post-meta"><time>0${at}-10</time></div><div class="post-title"><a href="/2026/post${at}/">Notes on the harbour, part ${at}</a></div></header></article>`
  const markdown = await read(
    `<header class="header"><a href="/">Port of Elm</a></header><aside class="sidebar"><p>Ann Post</p><a href="/tags">2 tags</a></aside>
     <main class="main"><div class="posts-collapse"><h1>notes Category</h1><span class="collection-year">2026</span>${[1, 2, 3, 4].map(entry).join('')}</div></main>
     <footer class="footer"><p>© 2026 Ann Post. All rights reserved.</p></footer>`,
  )
  for (const at of [1, 2, 3, 4]) expect(markdown).toContain(`[Notes on the harbour, part ${at}]`)
  expect(markdown).not.toMatch(/rights reserved|2 tags/)
})
