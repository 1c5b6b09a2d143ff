import { describe, expect, it } from 'vitest'
import type { ContentKind } from '../../../src/content/extract/blocks/page-kind.js'
import type { Region } from '../../../src/content/extract/blocks/block.js'
import { readBlocks, type TextBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import {
  chooseBlocks,
  MINIMUMS,
  PROBABILITY,
  SHORT_PAGE,
} from '../../../src/content/extract/selection/choose-blocks.js'
import { type NamedRule, Verdicts } from '../../../src/content/extract/selection/content-rule.js'
import { CHOICE_RULES } from '../../../src/content/extract/selection/content-rules.js'
import { LAST_STEPS, PAGE_RULES } from '../../../src/content/extract/selection/page-rules.js'
import { judgePage, PROSE } from './recorded-page.js'
import { parseHtml } from '../parse/pages.js'

/** A page of which a rule decides about one text. */
interface Case {
  readonly html: string
  /** The text of the block, and the fate that the rule gives it. */
  readonly text: string
  readonly isKept: boolean
  /** Probabilities by text. @default .99 for sentences, and .2 for all else */
  readonly odds?: Readonly<Record<string, number>>
  readonly kind?: ContentKind
}

const kept = (html: string, text: string, odds: Case['odds'] = {}, kind: ContentKind = 'article'): Case => ({
  html,
  text,
  isKept: true,
  odds,
  kind,
})
const dropped = (...[html, text, odds, kind]: Parameters<typeof kept>): Case => ({
  ...kept(html, text, odds, kind),
  isKept: false,
})

const P = `<p>${PROSE}</p>`
const TEXT = P.repeat(6)
const link = (text: string): string => `<a href="/${text}">${text}</a>`
const list = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
const STEPS = ['Open a window.', 'Change the folder.', 'Unpack it.', 'Build it.']
const LONG = 'And then wait until all of the files have been built, and for a while longer.'
const post = (author: string, html = P): string => `<div class="post"><h3>${author}</h3>${html}</div>`
const card = (text: string): string => `<div class="card"><p>${text}</p></div>`

/** Cases by rule; two for a rule that keeps some and drops others. */
const MORE = `<p data-verdict="0">${link('More')}</p>`

const CHOICES: Readonly<Record<string, readonly Case[]>> = {
  'short-page': [kept('<p>Closed today</p>', 'Closed today')],
  probability: [kept(TEXT, PROSE), dropped(`<p>Menu</p>${TEXT}`, 'Menu')],
  footer: [dropped(`${TEXT}<footer><p>About us</p></footer>`, 'About us', { 'About us': 0.9 })],
  'rejected-link': [dropped(`${P}<p data-verdict="-1">${link('More')}</p>${TEXT}`, 'More', { More: 0.8 })],
  rejected: [dropped(`<p data-verdict="-1">Share</p>${TEXT}`, 'Share', { Share: 0.6 })],
  outside: [dropped(`${TEXT}<p data-verdict="0">I see</p>`, 'I see', { 'I see': 0.55 })],
  links: [dropped(`<section>${TEXT}</section>${MORE}`, 'More', { [PROSE]: 0.4, More: 0.41 }, 'other')],
  'odd-card': [dropped(`${TEXT}${['Pear', 'Plum', 'Fig', 'Lime'].map(card).join('')}`, 'Fig', { Fig: 0.6 })],
  'whole-card': [
    kept(`<div><h3>${link('Pear')}</h3><p>Ripe</p></div>${TEXT}`, 'Pear', { Ripe: 0.9 }),
    dropped(`<div><h3>${link('Pear')}</h3><p>Ripe</p></div>${TEXT}`, 'Ripe', { Ripe: 0.6 }),
  ],
  'subscription-box': [
    dropped(`${TEXT}<div><p>Write me</p><input type="email"></div>`, 'Write me', { 'Write me': 0.9 }),
  ],
  offer: [
    dropped(`${TEXT}<div><p>Subscribe now for all</p></div>`, 'Subscribe now for all', {
      'Subscribe now for all': 0.9,
    }),
  ],
  'links-to-others': [
    dropped(`${TEXT}<p>Read more: ${link('Pears in a storm')}</p>${P}`, 'Read more: Pears in a storm', {
      'Read more: Pears in a storm': 0.95,
    }),
  ],
  'article-header': [kept(`<h1>Tides</h1>${TEXT}`, 'Tides')],
  lead: [kept(`<div><p>${LONG}</p>${TEXT}</div>`, LONG, { [LONG]: 0.4 })],
  'listing-in-text': [kept(`${P}<pre>let a\nb</pre>${TEXT}`, 'let a b')],
  'listing-after-listing': [kept(`${P}<pre>let a\nb</pre><pre>let c\nd</pre>${TEXT}`, 'let c d')],
  'listing-label': [kept(`${P}<div><p>rust</p><pre>let a\nb</pre></div>${TEXT}`, 'rust', { 'let a b': 0.9 })],
  'table-in-text': [
    kept(
      `${P}<p>Advertisement</p><table><tr><th>Port<th>Ebb<tr><td>Lee<td>82<tr><td>Hull<td>91</table>${TEXT}`,
      'Hull',
      { Port: 0.3, Ebb: 0.3, Lee: 0.3, 82: 0.3, Hull: 0.3, 91: 0.3 },
    ),
  ],
  'object-in-text': [
    kept(`${P}<blockquote><p>Rope first</p></blockquote>${TEXT}`, 'Rope first'),
    kept(`${P}<blockquote class="twitter-tweet"><p>${LONG}</p>Ann</blockquote>${TEXT}`, 'Ann'),
  ],
  'heading-above-text': [kept(`<h2>Ebb</h2>${TEXT}`, 'Ebb')],
  'alike-heading': [
    kept(
      ['Ada', 'Bob', 'Cy', 'Di'].map((name) => post(name, `<p>Up.</p>${P}`)).join(''),
      'Cy',
      { Ada: 0.9, Cy: 0.3, 'Up.': 0.7, Bob: 0.9 },
      'discussion',
    ),
  ],
  'post-date': [kept(`<div><time>1 May</time></div>${TEXT}`, '1 May', {}, 'discussion')],
  'alike-line': [
    kept(
      ['Pear', 'Plum', 'Fig']
        .map((name) => `<div class="card"><h3>${name}</h3><div class="tag">Tag ${name}</div><p>A ${name}</p></div>`)
        .join('') + TEXT,
      'Tag Plum',
      {
        'Tag Pear': 0.4,
        'Tag Plum': 0.4,
        'Tag Fig': 0.4,
        ...Object.fromEntries(['Pear', 'Plum', 'Fig', 'A Pear', 'A Plum', 'A Fig'].map((name) => [name, 0.9])),
      },
    ),
  ],
  'numbered-heading': [
    kept(`<h2>1. Pears</h2>${P}<h2>2. Plums</h2>${TEXT}`, '2. Plums', { '1. Pears': 0.9, '2. Plums': 0.05 }),
    kept(`<h2>1. Pears</h2>${P}<h2>2. See also</h2>${list([link('Plums')])}${TEXT}`, '2. See also', {
      '1. Pears': 0.9,
    }),
  ],
  label: [kept(`${P}<p>${link('Next:')}</p>${TEXT}`, 'Next:')],
  'introduced-list': [
    kept(`<p>You need:</p>${list([link('Nails'), link('Wire')])}${TEXT}`, 'Wire', { 'You need:': 0.95 }),
  ],
  'numbered-list': [
    kept(`<h2>1. Links</h2>${list([link('Nails'), link('Wire')])}${TEXT}`, 'Wire', { '1. Links': 0.95 }),
    // The rules before it may have kept the heading.
    kept(`<h2>1. Pears</h2>${P}<h2>2. See also</h2>${list([link('Plums')])}${TEXT}`, 'Plums', { '1. Pears': 0.9 }),
  ],
  'sole-line': [kept(`<h2>Ebb</h2><p>Low</p><h2>Flow</h2>${TEXT}`, 'Low', { Ebb: 0.9, Low: 0.3, Flow: 0.9 })],
  'upper-title': [kept(`<h2>Tides</h2><h2>of the coast</h2>${TEXT}`, 'Tides', { Tides: 0.15, 'of the coast': 0.7 })],
  'similar-item': [
    kept(
      `${TEXT}${list(['Pear', 'Plum', 'Fig', 'Lime'].map(link))}`,
      'Fig',
      { Pear: 0.55, Plum: 0.45, Fig: 0.45, Lime: 0.45 },
      'other',
    ),
  ],
  reference: [
    kept(
      `<div>${TEXT}<p>See also ${link('apples')}, ${link('plums')} and figs.</p></div>`,
      'See also apples, plums and figs.',
      { 'See also apples, plums and figs.': 0.3 },
    ),
  ],
  'missing-part': [
    kept(`${TEXT}${list([...STEPS, 'End'])}`, 'End', { ...Object.fromEntries(STEPS.map((s) => [s, 0.9])), End: 0.4 }),
  ],
  'whole-list': [
    kept(`${TEXT}${list(STEPS)}`, 'Build it.', { 'Change the folder.': 0.9 }),
    dropped(`${TEXT}${list([LONG.replace('And', 'Or'), LONG, LONG, 'Build it.'])}`, 'Build it.', {
      'Build it.': 0.9,
      [LONG]: 0.2,
      [LONG.replace('And', 'Or')]: 0.2,
    }),
  ],
  'whole-table': [
    kept(
      `${TEXT}<p>Ad</p><table>${['One', 'Two', 'Six'].map((n) => `<tr><td>${n}<td>x${n}`).join('')}</table>`,
      'xTwo',
      {
        One: 0.9,
        Two: 0.9,
        Six: 0.9,
      },
    ),
  ],
  'page-list': [
    kept(
      `<h1>Fruit</h1>${['Sour pear', 'Red plum', 'Blue fig', 'Small lime', 'Ripe date', 'Green apple']
        .map((name) => `<div class="card"><img src="/a.jpg"><p>${link(name)}</p><div>Buy</div></div>`)
        .join('')}${P.repeat(2)}`,
      'Blue fig',
      {},
      'other',
    ),
  ],
  entries: [
    kept(
      `<h1>Lamps</h1>${['Brass', 'Oak', 'Paper']
        .map((name, at) => `<div class="lamp"><p>${link(`${name} lamp`)}</p><div>$${at + 31}.50</div></div>`)
        .join('')}${P}`,
      'Oak lamp',
      {},
      'other',
    ),
  ],
  records: [
    kept(
      `<h1>Opinions</h1>${['Marsh v. Board', 'State v. Pell', 'Sund v. Sund', 'Holm v. Dock']
        .map((name, at) => `<div class="row"><p>${link(name)}</p><div>March ${at + 3}, 2026</div></div>`)
        .join('')}${P.repeat(2)}`,
      'State v. Pell',
      // A list of which nothing is read is one of entries.
      { 'Sund v. Sund': 0.9, 'Holm v. Dock': 0.9 },
      'other',
    ),
  ],
  papers: [
    kept(
      `${TEXT}${list(STEPS)}<div>${['May', 'June', 'July'].map((name) => `<a href="/${name}.pdf">${name} minutes</a>`).join(' ')}</div>${P}`,
      'May minutes June minutes July minutes',
      {},
      'other',
    ),
  ],
  dates: [
    kept(
      `${TEXT}<div>${['May 3, 2026', 'May 9, 2026', 'June 1, 2026', 'June 5, 2026'].map((day) => `<p>${day}</p>`).join('')}</div>${P}`,
      'May 9, 2026',
      { 'May 3, 2026': 0.9 },
      'other',
    ),
  ],
  'named-value': [kept(`${TEXT}<div><div>Place:</div><b>Wick</b></div>${P}`, 'Wick', { 'Place:': 0.9 }, 'other')],
  'entry-head': [
    kept(
      [3, 4, 5, 6].map((day) => `<div class="day">March ${day}, 2026</div>${P}`).join(''),
      'March 4, 2026',
      {},
      'other',
    ),
  ],
  remark: [
    kept(
      ['Up.', 'No, down.', 'The red one of the two.', 'Thanks to all of you here.']
        .map(
          (text, at) =>
            `<div class="post"><p>${link(at % 2 === 0 ? 'ada' : 'ben')} an hour ago</p><div>${text}</div></div>`,
        )
        .join(''),
      'The red one of the two.',
      { [PROSE]: 0.99, 'Thanks to all of you here.': 0.9 },
      'other',
    ),
  ],
  'whole-series': [
    kept(
      `<p>Menu</p><p>Menu</p>${['Pear', 'Plum', 'Fig']
        .map((name) => `<div class="card"><div class="tag">Tag ${name}</div><h3>${name}</h3><p>A ${name}</p></div>`)
        .join('')}`,
      'Tag Fig',
      {
        'Tag Pear': 0.9,
        'Tag Plum': 0.9,
        'Tag Fig': 0.06,
        ...Object.fromEntries(['Pear', 'Plum', 'Fig', 'A Pear', 'A Plum', 'A Fig'].map((name) => [name, 0.9])),
      },
      'other',
    ),
  ],
  'member-part': [
    kept(
      `<p>Menu</p><p>Menu</p>${['Pear', 'Plum', 'Fig'].map((name, at) => `<div><h3>${name}</h3><p>A ${name}</p><footer>${at + 3} May 2026</footer></div>`).join('')}`,
      '5 May 2026',
      Object.fromEntries(['Pear', 'Plum', 'Fig', 'A Pear', 'A Plum', 'A Fig'].map((name) => [name, 0.9])),
      'other',
    ),
  ],
  'plain-text': [kept(`<h1>Ebb</h1>${TEXT}<p>Used by ${link('Harbours')}</p>${P}`, 'Used by Harbours', {}, 'other')],
  summary: [kept(`<details><summary>Why</summary>${P}</details>${TEXT}`, 'Why', { Why: 0.05 })],
  'orphan-lead': [
    dropped(`${TEXT}<h2>Share</h2><p>Post it</p><h2>Ebb</h2>${TEXT}`, 'Share', { Share: 0.7, Ebb: 0.95 }),
    dropped(`${TEXT}<p>See also:</p>${list([link('Figs')])}<p>End.</p>${TEXT}`, 'See also:', { 'See also:': 0.7 }),
  ],
  'line-numbers': [dropped(`${P}<table><tr><td><pre>1\n2</pre><td><pre>let a\nb</pre></table>${TEXT}`, '1 2')],
}

const verdictOf = (region: Region): number => {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    const stated = at.element.attribs['data-verdict']
    if (stated !== undefined) return Number(stated)
  }
  return 1
}

/** Reads the body of a page. */
function readPage(html: string): TextBlocks {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return readBlocks(body, new Set())
}

/** Returns the name of the rule that decided about the text of a case, and its decision. */
function decide({ html, text, odds = {}, kind = 'article' }: Case): { rule: string | undefined; isKept: boolean } {
  const read = readPage(html)
  const probabilities = Float64Array.from(read.blocks, (block) => odds[block.text] ?? (block.isProse ? 0.99 : 0.2))
  const verdicts = new Verdicts()
  const prediction = { url: 'https://example.com/', read, probabilities, verdictOf, kind }
  const chosen = new Set(chooseBlocks(prediction, verdicts))
  expect(chooseBlocks(prediction)).toEqual([...chosen])
  for (const block of read.blocks) expect(verdicts.of(block)?.isKept).toBe(chosen.has(block))
  const block = read.blocks.find((one) => one.text === text)
  if (block === undefined) throw new Error(`no block has the text ${text}`)
  return { rule: verdicts.of(block)?.rule.name, isKept: chosen.has(block) }
}

const inChoice: readonly NamedRule[] = [SHORT_PAGE, PROBABILITY, ...MINIMUMS, ...CHOICE_RULES]

describe('a rule of the choice of blocks is recorded as the one that decided', () => {
  it.each(inChoice.map((rule): [string, NamedRule] => [rule.name, rule]))('%s', (name, { keeps, drops }) => {
    const cases = CHOICES[name] ?? []
    expect(new Set(cases.map(({ isKept }) => isKept))).toEqual(
      new Set([...(keeps === undefined ? [] : [true]), ...(drops === undefined ? [] : [false])]),
    )
    for (const one of cases)
      expect({ ...decide(one), text: one.text }).toEqual({ rule: name, isKept: one.isKept, text: one.text })
  })
})

/** A part that a template has, without which the whole page would be text. It is empty. */
const TEMPLATE = '<section></section>'

const FEW = '<nav><a href="/1">Home</a> <a href="/2">About</a></nav>'
const COPY = 'Harbour lights in fog and rain at night'

/** Pages with a text that a rule for every page, or a later step, decides about. */
const PAGES: Readonly<Record<string, readonly Case[]>> = {
  headline: [
    kept(
      `<title>Tide tables of the coast</title><h2>Tide tables of the coast</h2>${TEXT}`,
      'Tide tables of the coast',
      {
        'Tide tables of the coast': 0.02,
      },
    ),
    dropped(
      `<title>Tide tables | Lee</title><meta property="og:site_name" content="Harbour News"><div><h2>Harbour News</h2><h2>Tide tables</h2>${TEXT}</div>`,
      'Harbour News',
      { 'Harbour News': 0.99, 'Tide tables': 0.99 },
    ),
  ],
  caption: [
    kept(`${TEXT}<blockquote><p>${PROSE}</p><cite>Ada of Lee</cite></blockquote>`, 'Ada of Lee', {
      'Ada of Lee': 0.01,
    }),
  ],
  'stated-part': [
    kept(
      `<script type="application/ld+json">{"@type":"Recipe","recipeIngredient":["2 pears","1 fig","3 plums"]}</script>${list(['2 pears', '1 fig', '3 plums'])}${TEXT}`,
      '1 fig',
      { '2 pears': 0.01, '1 fig': 0.01, '3 plums': 0.01 },
    ),
  ],
  'next-story': [
    dropped(
      `<title>Tide tables</title><article><h1>Tide tables</h1>${TEXT}</article><div><article><h2>Fog</h2>${P}</article></div>`,
      'Fog',
      { 'Tide tables': 0.99, Fog: 0.99 },
    ),
  ],
  'ad-label': [dropped(`${P}<div>Advertisement</div>${TEXT}`, 'Advertisement', { Advertisement: 0.99 })],
  'consent-notice': [
    dropped(
      `${TEXT}<div class="cookie-banner"><p>We use cookies.</p><button>Accept</button></div>`,
      'We use cookies.',
      {
        'We use cookies.': 0.99,
      },
    ),
  ],
  'tables-alone': [kept('<table><tr><td>Ebb<td>4<tr><td>Flow<td>9<tr><td>Neap<td>2</table>', 'Flow', { '*': 0 })],
  'shown-part': [
    kept(`${FEW}<h1>Reports</h1><div><p>Tides</p></div>${'<div><p>Ships</p></div>'.repeat(5)}`, 'Tides', {
      '*': 0.01,
      Reports: 0.9,
      Tides: 0.3,
    }),
    dropped(`<h1>Reports</h1>${'<div><p>Ships</p></div>'.repeat(6)}<footer><p>Imprint</p></footer>`, 'Imprint', {
      '*': 0.3,
      Reports: 0.9,
      Imprint: 0.96,
    }),
  ],
  event: [
    {
      html: `<div class="events"><h1>A meeting</h1><address>Town hall</address></div>${TEXT}`,
      text: 'Town hall',
      isKept: true,
    },
  ],
  price: [
    {
      html: `<h1>A mug</h1><div class="price"><p>$12.50</p></div>${TEXT}`,
      text: '$12.50',
      isKept: true,
    },
  ],
  copy: [
    dropped(
      `${TEXT}<div class="desktop"><p>${COPY}</p></div><div class="mobile"><p id="copy">${COPY}</p></div>`,
      COPY,
      { [COPY]: 0.99 },
    ),
  ],
}

/** Rules for parts that the tests below look at. */
const OTHERS = ['beside-panels', 'consent-dialog', 'form-control', 'wiki-control']

describe('a rule for every page is recorded as the one that decided', () => {
  it.each(Object.entries(PAGES))('%s', (name, cases) => {
    for (const { html, text, isKept, odds = {} } of cases) {
      const { blocks, verdicts } = judgePage(`${html}${TEMPLATE}`, odds)
      const found = blocks.filter((block) => block.text === text).map((block) => verdicts.of(block))
      expect(found.map((verdict) => [verdict?.rule.name, verdict?.isKept])).toContainEqual([name, isKept])
    }
  })

  it('beside-panels', () => {
    const html = `<p>Opening hours</p>${TEXT}${TEMPLATE}<button aria-controls="more">More</button><div id="more" hidden>${P.replaceAll('tide', 'wind')}</div>`
    // The panel makes the model doubt the short line.
    const { blocks, verdicts } = judgePage(html, ({ read }) =>
      Float64Array.from(read.blocks, ({ isProse }) => (isProse ? 0.99 : read.blocks.length > 8 ? 0.1 : 0.9)),
    )
    expect(blocks).toHaveLength(9)
    const [hours] = blocks
    expect(hours && verdicts.of(hours)).toEqual({ rule: LAST_STEPS.besidePanels, isKept: true })
  })

  it('each of them', () => {
    const rules = [...PAGE_RULES, ...Object.values(LAST_STEPS)].map(({ name }) => name)
    expect([...Object.keys(PAGES), ...OTHERS].sort()).toEqual(rules.sort())
  })
})
