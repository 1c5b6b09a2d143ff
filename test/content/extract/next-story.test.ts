import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findLinksToOthers } from '../../../src/content/extract/selection/next-story.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

const sentence =
  'The harbour master counts the boats each evening, and writes the number into a book that nobody may open.'

/** Finds what leads to other texts on a page of which all is kept. */
function find(html: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const read = readBlocks(body, findNeverShown(body))
  return findLinksToOthers(read, new Set(read.blocks)).map(({ text }) => text)
}

const title = (text: string): string => `<p><a href="/${text.length}">${text}</a></p>`

describe('a list below a heading that leads to other texts', () => {
  const list = `<h3>You might also like</h3><div>${title('Pears in a storm')}</div><div>${title('A net of silk')}</div>`

  it('is found to the end of its cards', () => {
    const html = `<p>${sentence}</p><p>${sentence}</p><div>${list}</div>`
    expect(find(html)).toEqual(['You might also like', 'Pears in a storm', 'A net of silk'])
  })

  it('ends before a part of the text in which some words are links, such as a recipe', () => {
    const steps = Array.from({ length: 6 }, (_, at) => `<li>${sentence} ${at}</li>`).join('')
    const recipe = `<div><ul><li><a href="/butter">butter</a></li></ul><ol>${steps}</ol></div>`
    const html = `<p>${sentence}</p><p>${sentence}</p><div>${list}${recipe}</div>`
    expect(find(html)).toEqual(['You might also like', 'Pears in a storm', 'A net of silk'])
  })
})
