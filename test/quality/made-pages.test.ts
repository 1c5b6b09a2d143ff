import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import { endings, listArticles, reviews } from './made-pages/articles.js'
import { boxes, copies, oldPages } from './made-pages/boxes.js'
import { controls } from './made-pages/controls.js'
import type { MadePage } from './made-pages/made-page.js'
import { pictures, players } from './made-pages/pictures-and-players.js'
import { lists, tables } from './made-pages/tables-and-lists.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

/** Markdown without escapes and with single spaces. */
const plain = (markdown: string): string => markdown.replace(/\\(?=[^\w\s])/g, '').replace(/[\s*_]+/g, ' ')

const kinds: Readonly<Record<string, readonly MadePage[]>> = {
  'a page of tables': tables,
  'a page of one list or form': lists,
  'a page of pictures': pictures,
  'a page of a player': players,
  'a page with text that controls open': controls,
  'an article that is a list': listArticles,
  'a review of products': reviews,
  'an article before other stories': endings,
  'an article around a box': boxes,
  'a home page of layout tables': oldPages,
  'a page that prints a text twice': copies,
}

describe.each(Object.entries(kinds))('%s gives what a person would copy:', (_, pages) => {
  it.each(pages)('$name', async ({ html, wanted, unwanted = [] }) => {
    const { markdown } = await engine.parse({ url: 'https://elm.test/guide/ferry-and-harbour-2025', body: html })
    const text = plain(markdown)
    const made = {
      missing: wanted.filter((piece) => !text.includes(plain(piece))),
      unwanted: unwanted.filter((piece) => text.includes(plain(piece))),
    }
    expect(made, markdown).toEqual({ missing: [], unwanted: [] })
  })
})
