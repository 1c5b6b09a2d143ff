import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const read = async (html: string, head = ''): Promise<string> =>
  (
    await engine.parse({
      url: 'https://site.test/',
      body: `<head>${head}</head><main><p>Write to ${html} today.</p></main>`,
    })
  ).markdown

describe('a text that a style shows from right to left', () => {
  it.each([
    ['in an attribute', '<span style="unicode-bidi: bidi-override; direction: rtl;">elpmaxe.trop@retsam</span>', ''],
    [
      'of a class',
      '<span class="x rev">elpmaxe.trop@retsam</span>',
      '<style>.a{color:red}\n.rev { direction:rtl; unicode-bidi:bidi-override }</style>',
    ],
    ['of an id', '<b id="m">elpmaxe.trop@retsam</b>', '<style>b#m{unicode-bidi:bidi-override;direction:rtl}</style>'],
  ])('is written as a reader sees it: %s', async (_, html, head) => {
    expect((await read(html, head)).replaceAll('*', '')).toBe('Write to master@port.example today.')
  })

  it.each([
    [
      'only isolates',
      '<span style="unicode-bidi: isolate; direction: rtl">master@port.example</span>',
      'master@port.example',
    ],
    [
      'is from left to right',
      '<span style="unicode-bidi: bidi-override; direction: ltr">master@port.example</span>',
      'master@port.example',
    ],
    ['is of Hebrew letters', '<span style="unicode-bidi: bidi-override; direction: rtl">שלום</span>', 'שלום'],
  ])('stays as it is if its style %s', async (_, html, expected) => {
    expect(await read(html)).toBe(`Write to ${expected} today.`)
  })
})

describe('an element that is a picture by its role', () => {
  it('is an image with its name and its background', async () => {
    const html = `<div role="img" aria-label="The basin from the wall" style="height:3em;background-image:url('/bg/basin.jpg')"></div>`
    const { markdown } = await engine.parse({
      url: 'https://site.test/',
      body: `<main><h1>Ice</h1><p>It froze in the night.</p>${html}</main>`,
    })
    expect(markdown).toContain('![The basin from the wall](https://site.test/bg/basin.jpg)')
  })

  it('stays text if it has one', async () => {
    expect(await read('<span role="img" aria-label="A bell" style="background:url(/b.png)">bell</span>')).toBe(
      'Write to bell today.',
    )
  })
})
