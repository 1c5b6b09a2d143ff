import { expect, it } from 'vitest'
import { countVisible, readVisible } from '../../../src/content/rendering/text-scanner.js'
import { scanPageText } from '../../../src/content/rendering/scan-page-text.js'

const texts = ['', ' ', '\n\t \r\n', 'a', ' a ', 'a b', 'a\n\n  b\tc ', '\v\f a\u001f', 'a  ', 'one two  three\r\nfour']
const others = ['a\u00a0b', 'ä  b', 'a &amp; b', '&nbsp;', '\ufeff a', 'a\u2003\u2003b']

it('counts the characters of a text as it is shown', () => {
  for (const text of texts) {
    const html = `<p>${text}</p>`
    const to = 3 + text.length
    expect(countVisible(html, 3, to), JSON.stringify(text)).toBe(readVisible(html, 3, to).length)
  }
  expect(readVisible(' one \n two ', 0, 11)).toBe('one two')
})

it('leaves references and characters beyond ASCII to the reading of the text', () => {
  for (const text of others) expect(countVisible(text, 0, text.length), JSON.stringify(text)).toBeUndefined()
  expect(readVisible('&nbsp; a', 0, 8)).toBe('a')
})

it('names elements that are empty when they end, in the order in which they began', () => {
  const html =
    '<main><div id="outer"><div id="inner"> \n</div><span>Loading…</span></div><nav id="menu"></nav></main>' +
    `<div id="full">${'Words of the page. '.repeat(5)}<app-box></app-box></div>`
  const { emptyElements } = scanPageText(new TextEncoder().encode(html))
  expect(emptyElements).toEqual(['#inner', '#outer', 'main', 'app-box'])
})
