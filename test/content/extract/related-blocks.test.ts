import { describe, expect, it } from 'vitest'
import {
  type Choice,
  findSimilarItems,
  findIntroducedLists,
  findLabels,
  findNumberedHeadings,
  findNumberedLists,
  findSoleLines,
  findReferences,
  findUpperTitles,
} from '../../../src/content/extract/selection/related-blocks.js'
import type { Block } from '../../../src/content/extract/blocks/block.js'
import { type TextBlocks, readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

function readPage(html: string): TextBlocks {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return readBlocks(body, findNeverShown(body))
}

/** Returns a choice without some lines, which have the given probability. All others are kept, with a high one. */
function leaveOut(
  html: string,
  texts: readonly string[],
  { probability = 0.4, sure = 0.95, verdict = 1 } = {},
): Choice {
  const read = readPage(html)
  const kept = new Set(read.blocks.filter(({ text }) => !texts.includes(text)))
  return { read, kept, probabilityOf: (block) => (kept.has(block) ? sure : probability), verdictOf: () => verdict }
}

const textsOf = (blocks: readonly Block[]): string[] => blocks.map(({ text }) => text)

describe('related blocks of the kept text', () => {
  it('include a heading that continues the numbers of others', () => {
    const html = (last: string): string => `<h2>1. Pears</h2><p>Ripe.</p><h2>2. Apples</h2><p>Red.</p><h2>${last}</h2>`
    expect(textsOf(findNumberedHeadings(leaveOut(html('3. Plums'), ['3. Plums'])))).toEqual(['3. Plums'])
    expect(textsOf(findNumberedHeadings(leaveOut(html('3. Plums'), ['1. Pears'])))).toEqual(['1. Pears'])
    expect(findNumberedHeadings(leaveOut(html('7. Plums'), ['7. Plums']))).toEqual([])
    expect(findNumberedHeadings(leaveOut(html('Plums'), ['Plums']))).toEqual([])
    expect(findNumberedHeadings(leaveOut(html('3. Plums'), ['3. Plums'], { verdict: -1 }))).toEqual([])
  })

  it('include a heading whose number an element of its own sets apart', () => {
    const heading = (number: number, title: string): string => `<h2><span class="no">${number}</span> ${title}</h2>`
    const html = (last: string): string => `${heading(1, 'Pears')}<p>Ripe.</p>${heading(2, 'Apples')}<p>Red.</p>${last}`
    expect(textsOf(findNumberedHeadings(leaveOut(html(heading(3, 'Plums')), ['3 Plums'])))).toEqual(['3 Plums'])
    expect(findNumberedHeadings(leaveOut(html(heading(7, 'Plums')), ['7 Plums']))).toEqual([])
    expect(findNumberedHeadings(leaveOut(html('<h2>3 Plums</h2>'), ['3 Plums']))).toEqual([])
  })

  it('include the heading of a numbered section with links, but not that of a section of another form', () => {
    const section = (title: string, content: string, name = 'section'): string =>
      `<div class="${name}"><h2>${title}</h2>${content}</div>`
    const text = section('1. Pears', '<p>Ripe.</p>') + section('2. Apples', '<p>Red.</p>')
    const links = '<ol><li><a href="a">On pears</a><li><a href="b">On apples</a></ol>'
    const find = (last: string): string[] =>
      textsOf(findNumberedHeadings(leaveOut(`${text}${last}`, ['3. References'], { verdict: -1 })))
    expect(find(section('3. References', links))).toEqual(['3. References'])
    expect(find(section('3. References', links, 'sidebar'))).toEqual([])
    const flat = section('1. Pears', '<p>Ripe.</p><h2>2. Apples</h2><p>Red.</p>')
    expect(textsOf(findNumberedHeadings(leaveOut(flat, ['2. Apples'])))).toEqual(['2. Apples'])
    expect(textsOf(findNumberedHeadings(leaveOut(flat, ['1. Pears'])))).toEqual(['1. Pears'])
    expect(find(`<h2>3. References</h2>${links}`)).toEqual([])
  })

  it('include the list below a numbered heading', () => {
    const html = (heading: string): string =>
      `<h2>${heading}</h2><ul><li><a href="a">Pears</a><li><a href="b">Plums</a></ul>`
    const links = ['Pears', 'Plums']
    expect(textsOf(findNumberedLists(leaveOut(html('1.3. History'), links)))).toEqual(links)
    expect(textsOf(findNumberedLists(leaveOut(html('4. See Also'), links)))).toEqual(links)
    expect(findNumberedLists(leaveOut(html('More to read'), links))).toEqual([])
    expect(findNumberedLists(leaveOut(html('5 kinds of fruit'), links))).toEqual([])
  })

  it('include a link with a colon that names the next part of the text', () => {
    const html = (label: string): string =>
      `<p>Trees grow like this:</p><p>${label}</p><svg><text>root</text></svg><p>So they do.</p>`
    const label = '<a href="a">tree:</a> <button>hide</button>'
    expect(textsOf(findLabels(leaveOut(html(label), ['tree: hide', 'root'])))).toEqual(['tree: hide'])
    expect(findLabels(leaveOut(html('<a href="a">All about trees</a>'), ['All about trees', 'root']))).toEqual([])
    expect(findLabels(leaveOut(html(label), ['tree: hide', 'root', 'So they do.']))).toEqual([])
  })

  it('include a list that a line introduces, with a higher threshold for fewer words', () => {
    const words = '<p>See also:</p><div><ul><li><a href="a">Pears</a><li><a href="b">Plums</a></ul></div><p>End.'
    const sentence = words.replace('See also', 'There are other fruits that one may want to know in this place')
    const sentences = words.replace('See also', 'Fruit is old. It is good. It is red. There is more')
    const links = ['Pears', 'Plums']
    expect(textsOf(findIntroducedLists(leaveOut(words, links)))).toEqual(links)
    expect(findIntroducedLists(leaveOut(words, links, { sure: 0.85 }))).toEqual([])
    expect(textsOf(findIntroducedLists(leaveOut(sentence, links, { sure: 0.85 })))).toEqual(links)
    expect(findIntroducedLists(leaveOut(sentence, links, { sure: 0.7 }))).toEqual([])
    expect(textsOf(findIntroducedLists(leaveOut(sentences, links, { sure: 0.7 })))).toEqual(links)
    expect(findIntroducedLists(leaveOut(words.replace('<ul>', '<p>Fruit</p><ul>'), [...links, 'Fruit']))).toEqual([])
  })

  it('include the only line below a heading', () => {
    const line = '<a href="a">Version 3</a> (today).'
    const html = (more = ''): string => `<p>Pears.</p><h3>Latest</h3>${line}${more}<h3>Sponsors</h3><p>Plums.</p>`
    expect(textsOf(findSoleLines(leaveOut(html(), ['Version 3 (today).'])))).toEqual(['Version 3 (today).'])
    expect(findSoleLines(leaveOut(html('<p>More'), ['Version 3 (today).', 'More']))).toEqual([])
    expect(findSoleLines(leaveOut(html(), ['Version 3 (today).'], { probability: 0.2 }))).toEqual([])
    expect(findSoleLines(leaveOut(html(), ['Version 3 (today).', 'Latest']))).toEqual([])
  })

  it('include the upper part of a title', () => {
    const html = '<a href="up"><h2>Fruit in general</h2></a><h2>Pears</h2><p>Ripe.</p>'
    expect(textsOf(findUpperTitles(leaveOut(html, ['Fruit in general'])))).toEqual(['Fruit in general'])
    expect(findUpperTitles(leaveOut(html, ['Fruit in general'], { sure: 0.5 }))).toEqual([])
    expect(findUpperTitles(leaveOut(html.replaceAll('h2>Pears', 'h3>Pears'), ['Fruit in general']))).toEqual([])
  })

  it('include the rest of a list of similar links', () => {
    const item = (text: string): string => `<li><a href="${text}">${text}</a></li>`
    const html = `<ul>${['Pears', 'Plums', 'Figs', 'Limes'].map(item).join('')}</ul>`
    const rest = ['Pears', 'Plums']
    expect(textsOf(findSimilarItems(leaveOut(html, rest, { probability: 0.44, sure: 0.5 })))).toEqual(rest)
    expect(findSimilarItems(leaveOut(html, rest, { probability: 0.2, sure: 0.5 }))).toEqual([])
    expect(
      findSimilarItems(leaveOut(html.replace(item('Figs'), '<li>Figs'), rest, { probability: 0.44, sure: 0.5 })),
    ).toEqual([])
  })

  it('include a sentence with further reading after the text', () => {
    const html = '<p>Pears are ripe.</p><p>See also <a href="a">apples</a>, <a href="b">plums</a> and figs.</p>'
    const reference = 'See also apples, plums and figs.'
    expect(textsOf(findReferences(leaveOut(html, [reference])))).toEqual([reference])
    expect(findReferences(leaveOut(html, [reference], { verdict: -1 }))).toEqual([])
    expect(findReferences(leaveOut(html, [reference], { probability: 0.2 }))).toEqual([])
    expect(findReferences(leaveOut(html, [reference, 'Pears are ripe.']))).toEqual([])
    expect(findReferences(leaveOut(html.replace('</p><p>', '</p><div><p>'), [reference]))).toEqual([])
  })
})
