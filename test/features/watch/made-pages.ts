/** Numbers from 0 to 1, the same ones each time. */
export function draw(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export const TEMPLATES = ['product', 'listing', 'article', 'docs', 'status'] as const
export type Template = (typeof TEMPLATES)[number]

/** The content of a page. Edits change it; what differs at each visit is made when the page is written. */
export interface PageContent {
  readonly template: Template
  readonly seed: number
  title: string
  price: number
  state: string
  date: string
  intro: string
  paragraphs: string[]
  headings: string[]
  rows: [string, string][]
  items: string[]
  code: string
  download: string
  notice: string
  advertisement: string
  related: string[]
  build: string
  year: number
  ratings: number
  image: string
}

const WORDS =
  'harbour lantern granite willow copper meadow signal anchor velvet timber canyon marble saddle compass ribbon orchard kettle lattice beacon thistle garnet pepper hollow quarry ferry bramble cobalt sparrow linen cedar'.split(
    ' ',
  )

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T

export function sentence(random: () => number): string {
  const words = Array.from({ length: 9 + Math.floor(random() * 8) }, () => pick(WORDS, random))
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const paragraph = (random: () => number): string => Array.from({ length: 3 }, () => sentence(random)).join(' ')

const nameOf = (random: () => number): string => `${pick(WORDS, random)} ${pick(WORDS, random)}`

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

export const writeDate = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`
}

export function createContent(template: Template, seed: number): PageContent {
  const random = draw(seed)
  return {
    template,
    seed,
    title: `The ${nameOf(random)}`,
    price: 20 + Math.floor(random() * 400),
    state: template === 'status' ? 'All systems operational' : 'In stock',
    date: writeDate(Date.UTC(2027, Math.floor(random() * 12), 1 + Math.floor(random() * 27))),
    intro: paragraph(random),
    paragraphs: Array.from({ length: 4 }, () => paragraph(random)),
    headings: Array.from({ length: 4 }, () => `About the ${nameOf(random)}`),
    rows: Array.from({ length: 5 }, () => [nameOf(random), `${Math.floor(random() * 900)} mm`]),
    items: Array.from({ length: 5 }, () => `${nameOf(random)} with ${nameOf(random)}`),
    code: `client.${pick(WORDS, random)}({ retries: ${Math.floor(random() * 9)}, mode: '${pick(WORDS, random)}' })`,
    download: `/files/${pick(WORDS, random)}-1.4.pdf`,
    notice: 'We use cookies to improve your visit.',
    advertisement: sentence(random),
    related: Array.from({ length: 5 }, () => nameOf(random)),
    build: 'a81f3c2d',
    year: 2026,
    ratings: 200 + Math.floor(random() * 100),
    image: '/images/one.jpg',
  }
}

const shuffle = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/** Scatters numbers: visits of the same hour of each day must not draw alike. */
function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}

/** Writes a page as a visit at this time gets it: with ages, counters, tokens and an order of its own. */
export function writePage(content: PageContent, nowMs: number): string {
  const { template, title, seed } = content
  const random = draw(mix(seed + Math.floor(nowMs / 1000)))
  const count = (most: number): number => 1 + Math.floor(random() * most)
  const token = Math.floor(random() * 1e9).toString(36)
  const table = `<table><tr><th>Part</th><th>Size</th></tr>${content.rows.map(([part, size]) => `<tr><td>${part}</td><td>${size}</td></tr>`).join('')}</table>`
  const list = `<ul>${content.items.map((item) => `<li>${item}</li>`).join('')}</ul>`
  const sections = content.paragraphs
    .map(
      (text, index) =>
        `${content.headings[index] === undefined ? '' : `<h2>${content.headings[index]}</h2>`}<p>${text}</p>`,
    )
    .join('')
  const related = `<section><h2>${template === 'product' ? 'Customers also bought' : 'Related articles'}</h2><ul>${shuffle(
    content.related,
    random,
  )
    .map((text) => `<li><a href="/r/${text.replace(' ', '-')}?ref=${token}">${text}</a></li>`)
    .join('')}</ul></section>`
  // Which tip is shown is known to nobody: only the history of the page tells that it is noise.
  const tip = `<p>Did you know? ${sentence(draw(seed + count(40) * 7919))}</p>`
  const body = {
    product: `<p>Price: €${content.price}.00</p><p>Availability: ${content.state}</p><p>${count(90)} people are viewing this</p><p>${content.ratings} ratings</p><img src="${content.image}" alt="The product">${tip}<p>${content.intro}</p>${table}${sections}${list}`,
    listing: `<p>${content.intro}</p>${tip}${content.rows.map(([part, size]) => `<article><h3>${part}</h3><p>A ${part} of ${size} for the whole house.</p></article>`).join('')}${list}<p>${count(5000)} views</p>`,
    article: `<p>Published ${content.date} · ${count(59)} minutes ago updated · ${count(900)} comments</p><p>${content.intro}</p>${sections}${tip}${list}<p>Today is ${writeDate(nowMs)}.</p>`,
    docs: `<p>${content.intro}</p><pre><code>${content.code}</code></pre>${sections}${table}<p><a href="${content.download}">Download the manual</a></p><p>Build ${content.build}</p>`,
    status: `<p>${content.state}</p><p>Last updated: ${new Date(nowMs).toISOString()}</p>${table}${sections}${list}<p>Next maintenance: ${content.date}</p>`,
  }[template]
  return `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}<p>Advertisement</p><p><a href="https://ads.example/${token}">${content.advertisement}</a></p>${related}<p>${content.notice}</p><p>© ${content.year} The Company</p></main></body></html>`
}

/** An edit of a page. */
export interface Edit {
  readonly name: string
  /** Templates whose pages show it. @default all */
  readonly on?: readonly Template[]
  /** True for an edit by which the rules were tuned. The others were kept aside. */
  readonly isTuned: boolean
  apply(content: PageContent, random: () => number): void
}

const tuned = (name: string, on: readonly Template[], apply: Edit['apply']): Edit => ({
  name,
  on,
  apply,
  isTuned: true,
})
const aside = (name: string, on: readonly Template[], apply: Edit['apply']): Edit => ({
  name,
  on,
  apply,
  isTuned: false,
})

/** Edits that matter. */
export const MEANINGFUL: readonly Edit[] = [
  tuned('price', ['product'], (page, random) => void (page.price += 1 + Math.floor(random() * 9))),
  tuned('sold out', ['product'], (page) => void (page.state = page.state === 'Sold out' ? 'In stock' : 'Sold out')),
  tuned('row added', ['product', 'docs', 'status'], (page, random) => void page.rows.push([nameOf(random), '7 mm'])),
  tuned(
    'row value',
    ['product', 'docs', 'status'],
    (page, random) => void ((page.rows[1] as [string, string])[1] = `${1000 + Math.floor(random() * 900)} mm`),
  ),
  tuned('entry added', ['listing'], (page, random) => void page.rows.unshift([nameOf(random), '12 mm'])),
  tuned(
    'heading',
    ['product', 'article', 'docs', 'status'],
    (page, random) => void (page.headings[2] = `Notes on the ${nameOf(random)}`),
  ),
  tuned(
    'date',
    ['article', 'status'],
    (page, random) =>
      void (page.date = writeDate(Date.UTC(2028, Math.floor(random() * 12), 1 + Math.floor(random() * 27)))),
  ),
  tuned(
    'item added',
    ['product', 'listing', 'article', 'status'],
    (page, random) => void page.items.push(`${nameOf(random)} with ${nameOf(random)} ${Math.floor(random() * 1000)}`),
  ),
  tuned(
    'sentence',
    ['product', 'article', 'docs', 'status'],
    (page, random) => void (page.paragraphs[1] = `${page.paragraphs[1] ?? ''} ${sentence(random)}`),
  ),
  tuned('code', ['docs'], (page, random) => void (page.code = `${page.code}\nclient.${pick(WORDS, random)}()`)),
  aside(
    'outage',
    ['status'],
    (page) =>
      void (page.state = page.state.startsWith('All') ? 'Major outage of the interface' : 'All systems operational'),
  ),
  aside('price of sale', ['product'], (page) => void (page.price = Math.round(page.price * 0.8) + 1)),
  aside('row removed', ['product', 'docs', 'status'], (page) => void (page.rows.length > 2 && page.rows.pop())),
  aside('entry removed', ['listing'], (page) => void (page.rows.length > 2 && page.rows.pop())),
  aside(
    'paragraph rewritten',
    ['product', 'article', 'docs', 'status'],
    (page, random) => void (page.paragraphs[3] = paragraph(random)),
  ),
  aside(
    'introduction reworded',
    ['product', 'listing', 'article', 'docs'],
    (page, random) => void (page.intro = `${sentence(random)} ${page.intro.split('. ').slice(1).join('. ')}`),
  ),
  aside(
    'section added',
    ['article', 'docs'],
    (page, random) => void (page.headings.push(`About the ${nameOf(random)}`), page.paragraphs.push(paragraph(random))),
  ),
  aside(
    'item removed',
    ['product', 'listing', 'article', 'status'],
    (page) => void (page.items.length > 2 && page.items.shift()),
  ),
  aside(
    'default in code',
    ['docs'],
    (page, random) =>
      void (page.code = page.code.replace(/retries: \d+/, `retries: ${10 + Math.floor(random() * 900)}`)),
  ),
  aside(
    'download',
    ['docs'],
    (page, random) => void (page.download = `/files/manual-2.${Math.floor(random() * 100)}.pdf`),
  ),
  aside(
    'title',
    ['product', 'listing', 'article', 'docs', 'status'],
    (page, random) => void (page.title = `The new ${nameOf(random)}`),
  ),
]

/** Edits that do not matter. */
export const NOISE: readonly Edit[] = [
  tuned('advertisement', TEMPLATES, (page, random) => void (page.advertisement = sentence(random))),
  tuned('related links', TEMPLATES, (page, random) => void (page.related = page.related.map(() => nameOf(random)))),
  tuned('ratings', ['product'], (page, random) => void (page.ratings += 1 + Math.floor(random() * 20))),
  tuned(
    'cookie notice',
    TEMPLATES,
    (page, random) => void (page.notice = `We and our ${Math.floor(random() * 900)} partners use cookies.`),
  ),
  tuned(
    'build',
    ['docs'],
    (page, random) => void (page.build = `${Math.floor(random() * 0xfff).toString(16)}7e1c0a2f`),
  ),
  aside('copyright', TEMPLATES, (page) => void (page.year += 1)),
  aside('image', ['product'], (page, random) => void (page.image = `/images/${Math.floor(random() * 1e6)}.jpg`)),
  aside(
    'newsletter',
    TEMPLATES,
    (page, random) => void (page.notice = `Subscribe to our newsletter and get ${Math.floor(random() * 30)} recipes.`),
  ),
  aside('order of links', TEMPLATES, (page, random) => void (page.related = shuffle(page.related, random))),
  aside('one link more', TEMPLATES, (page, random) => void page.related.push(nameOf(random))),
]

/** The edits that a page of a template can have. */
export const editsOf = (edits: readonly Edit[], template: Template): readonly Edit[] =>
  edits.filter(({ on }) => on?.includes(template) ?? true)
