import { describe, expect, it } from 'vitest'
import { linkToPassage, type WeighWord } from '../../../src/content/convert/passage/passage-link.js'

const URL = 'https://site.test/faq'
const textOf = (link: string): string => decodeURIComponent(link.slice(`${URL}#:~:text=`.length))
/** Weighs each of these words with 1, but the last one with 10. */
const words =
  (...asked: string[]): WeighWord =>
  (word) => {
    const at = asked.findIndex((one) => word.toLowerCase().startsWith(one))
    return at === -1 ? [] : [[at, at === asked.length - 1 ? 10 : 1]]
  }

describe('the link to a passage', () => {
  it.each([
    [
      '# Heading\n\nThe first words of **the** text, and [a link](https://a.test) more.',
      'The first words of the text, and a',
    ],
    ['```js\ncode of it\n```', 'code of it'],
    ['# Heading alone', 'Heading alone'],
    ['| one cell | another |\n| --- | --- |', 'one cell'],
    [`${'字'.repeat(300)}。`, '字'.repeat(100)],
    [`a ${'long'.repeat(30)} word`, 'a'],
    ['Plans are **refunded** within [fourteen days', 'Plans are refunded within fourteen days'],
    ['of the purchase](https://a.test/law) and of [1] it', 'of the purchase and of [1] it'],
    ['of \\[the\\] purchase', 'of [the] purchase'],
  ])('of %j has its first words', (markdown, text) => {
    expect(textOf(linkToPassage(URL, markdown))).toBe(text)
  })

  const filler = 'SQLite has limited support for this and that, as other programs have. '
  it.each([
    [
      `${filler.repeat(9)}It is in the public domain, and needs no license.`,
      'in the public domain, and needs no license.',
    ],
    [`${filler}\n\nNo license at all.\n\nIt is public, of the domain.`, 'It is public, of the domain.'],
    [`# License of the public domain\n\n${filler}`, 'SQLite has limited support for this and that,'],
    [`| name | license |\n| --- | --- |\n| one | of the domain |`, 'of the domain'],
    [`- ${filler}\n- Its *domain* is \\_public\\_.`, 'Its domain is _public_.'],
    [filler, 'SQLite has limited support for this and that,'],
  ])('of %j shows the place with the words of a query', (markdown, text) => {
    expect(textOf(linkToPassage(URL, markdown, words('public', 'license', 'domain')))).toBe(text)
  })
})
