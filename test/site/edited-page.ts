/** A part of a page: what a scenario edits. */
export interface Section {
  readonly heading: string
  readonly paragraphs: string[]
  list?: { readonly kind: 'ul' | 'ol'; readonly items: string[] }
  table?: string[][]
  code?: string
}

/** A page as an author has it, from which its HTML is made. */
export interface EditedPage {
  title: string
  readonly sections: Section[]
  /** What is another at each visit, and no news. */
  readonly volatile: { updated: string; views: string; age: string; advertisement: string; token: string }
  /** Put between blocks. */
  space: string
}

const WORDS = (
  'harbour ledger window copper garden signal timber market engine lantern valley archive bridge canvas meadow ' +
  'orchard quarry ribbon saddle thicket uplift velvet walnut yonder zephyr anchor beacon cobble dapple ember'
).split(' ')

/** Numbers that are the same for the same seed: mulberry32. */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A page of six sections with prose, a bulleted and a numbered list, a table and code. */
export function makePage(seed: number): EditedPage {
  const random = makeRandom(seed)
  let serial = 0
  const word = (): string => WORDS[random(WORDS.length)] ?? ''
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  // Each with a number of its own, so that no two are the same.
  const sentence = (): string =>
    `The ${words(4)} of ${100 + serial++} stands by the ${words(5)}, and the ${words(4)} does not.`
  const paragraph = (): string => [sentence(), sentence(), sentence()].join(' ')
  const sections: Section[] = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'].map((name) => ({
    heading: `${name} ${words(2)}`,
    paragraphs: [paragraph(), paragraph()],
  }))
  const at = (index: number): Section => sections[index] ?? { heading: '', paragraphs: [] }
  const item = (): string => `Take the ${words(5)} number ${serial++}`
  at(1).list = { kind: 'ul', items: [item(), item(), item(), item(), item()] }
  at(2).list = { kind: 'ol', items: [item(), item(), item(), item()] }
  at(3).table = [
    ['Name', 'Price', 'Stock'],
    ...Array.from({ length: 5 }, () => [
      `The ${words(2)} ${serial++}`,
      `$${200 + random(700)}.50`,
      `${random(90) + 10}`,
    ]),
  ]
  at(4).code = `function weigh(load) {\n  if (load > ${300 + random(600)}) return 'heavy'\n  return 'light'\n}`
  return {
    title: `About the ${words(3)}`,
    sections,
    volatile: {
      updated: '3 March 2026',
      views: `${random(9000) + 1000}`,
      age: '3 minutes',
      advertisement: 'anvils',
      token: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    },
    space: '',
  }
}

const cells = (row: readonly string[], tag: 'th' | 'td'): string =>
  row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')

function writeSection({ heading, paragraphs, list, table, code }: Section, space: string): string {
  const blocks = [`<h2>${heading}</h2>`, ...paragraphs.map((text) => `<p>${text}</p>`)]
  if (list) blocks.push(`<${list.kind}>${list.items.map((text) => `<li>${text}</li>`).join(space)}</${list.kind}>`)
  if (table) {
    const [header = [], ...rows] = table
    const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join(space)
    blocks.push(`<table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table>`)
  }
  if (code !== undefined) blocks.push(`<pre><code class="language-js">${code.replace(/>/g, '&gt;')}</code></pre>`)
  return blocks.join(space)
}

/** The page as its site sends it. */
export function writePage({ title, sections, volatile, space }: EditedPage): string {
  const { updated, views, age, advertisement, token } = volatile
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>`,
    '<header><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/help">Help</a></nav></header>',
    `<main><article><h1>${title}</h1>`,
    `<p>Last updated: ${updated}. ${views} views. Commented on ${age} ago.</p>`,
    `<p>See the <a href="/terms?sid=${token}">terms of the house</a> before you begin with any of it.</p>`,
    ...sections.slice(0, 3).map((section) => writeSection(section, space)),
    `<p>Advertisement</p><p><a href="https://ads.test/click?to=${advertisement}">Buy ${advertisement} today</a></p>`,
    ...sections.slice(3).map((section) => writeSection(section, space)),
    '</article></main><footer><p>All rights reserved.</p></footer></body></html>',
  ].join(`\n${space}`)
}
