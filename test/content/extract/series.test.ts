import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findMemberParts, keepSeriesWhole } from '../../../src/content/extract/selection/whole-series.js'
import { createEngine } from '../../../src/features/create-engine.js'
import { parseHtml } from '../parse/pages.js'

const engine = createEngine({ threads: 0 })

const names = [
  'Trail Shoe',
  'City Bag',
  'Wool Shirt',
  'Steel Flask',
  'Camp Chair',
  'Down Jacket',
  'Travel Mug',
  'Climbing Rope',
]
const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-')

/** Markup of one entry of a list, by system. */
const entries: Readonly<Record<string, (name: string, at: number) => string>> = {
  'a shop with headings': (name, at) =>
    `<li class="product post-${at}"><a href="/p/${slugOf(name)}"><img src="/${at}.jpg"><h2>${name}</h2><span class="price">$${20 + at}.00</span></a><a class="button" href="?add=${at}">Add to cart</a></li>`,
  'a shop with links': (name, at) =>
    `<div class="tile"><a href="/p/${slugOf(name)}"><img src="/${at}.jpg"></a><div class="body"><div class="name"><a href="/p/${slugOf(name)}">${name}</a></div><div class="cost"><span>$${20 + at}.00</span></div></div></div>`,
  'a shop whose cards are links': (name, at) =>
    `<a class="tile" href="/p/${slugOf(name)}"><img src="/${at}.jpg"><span class="name">${name}</span> <span class="cost">$${20 + at}.00</span></a>`,
  'a blog': (name, at) =>
    `<article class="post-${at} post"><header><a href="/${slugOf(name)}/"><img src="/${at}.jpg"></a><h2><a href="/${slugOf(name)}/">${name}</a></h2></header></article>`,
}

const remark =
  'Find gear for every season and every kind of trip, which our team has carried outdoors before it is listed here. '
const paragraphs = (count: number): string => `<p>${remark.repeat(2)}</p>`.repeat(count)
const listOf = (entry: (name: string, at: number) => string): string =>
  `<div class="grid">${names.map(entry).join('')}</div>`
const filters =
  '<aside class="filters"><h4>Filter</h4><ul><li><label><input type="checkbox">Black (3)</label></li></ul></aside>'

const page = (main: string, title = 'Outdoor gear'): string =>
  `<!doctype html><html lang="en"><title>${title} | Northfield</title><header><nav><ul><li><a href="/new">New</a></li><li><a href="/men">Men</a></li><li><a href="/sale">Sale</a></li></ul></nav></header><main><h1>${title}</h1>${main}</main><footer><p>© Northfield</p></footer></html>`

async function read(body: string, path = '/gear'): Promise<{ text: string; warning: string | undefined }> {
  const { markdown, warning } = await engine.parse({ body, url: `https://northfield.test${path}` })
  return { text: markdown.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ''), warning }
}

const namesIn = (text: string): string[] => names.filter((name) => text.includes(name))

describe('the list that a page is for', () => {
  const surroundings = {
    alone: (list: string) => list,
    'between filters and a text': (list: string) =>
      `${filters}${list}<div class="about"><h2>About</h2>${paragraphs(3)}</div>`,
    'below a description': (list: string) => `${paragraphs(1)}${list}`,
  }
  const cases = Object.keys(entries).flatMap((markup) =>
    Object.keys(surroundings).map((place) => [markup, place] as const),
  )

  it.each(cases)('of %s is kept with its titles and prices, %s', async (markup, place) => {
    const entry = entries[markup]
    const around = surroundings[place as keyof typeof surroundings]
    if (entry === undefined) throw new Error(`there is no markup ${markup}`)
    const { text } = await read(page(around(listOf(entry))))
    expect(namesIn(text)).toEqual(names)
    if (markup !== 'a blog') expect(names.filter((_, at) => text.includes(`$${20 + at}.00`))).toEqual(names)
  })

  it.each([
    [
      'whose cards are elements of the shop',
      (name: string, at: number) =>
        `<product-card><a href="/p/${slugOf(name)}"><product-image><img src="/${at}.jpg" alt=""></product-image><div class="pc__name">${name}</div><price-tag><span>$${20 + at}.00</span></price-tag></a></product-card>`,
    ],
    ['of links alone', (name: string) => `<li><a href="/wiki/${slugOf(name)}" title="${name}">${name}</a></li>`],
    [
      'of links with a line each',
      (name: string, at: number) =>
        `<div class="opening"><a href="/jobs/${at}">${name} maker</a><br><span class="place">Town ${at}</span></div>`,
    ],
  ])('%s is kept right below the title, before a longer text', async (_, entry) => {
    const { text } = await read(
      page(`${filters}${listOf(entry)}<div class="about"><h2>About</h2>${paragraphs(3)}</div>`),
    )
    expect(namesIn(text)).toEqual(names)
  })

  it('is no list of popular stories between the title and the text', async () => {
    const popular = names.map(
      (name, at) => `<li><a href="/${slugOf(name)}"><img src="/${at}.jpg"><h3>${name}</h3></a></li>`,
    )
    const { text } = await read(
      page(
        `<div class="most-read"><ul>${popular.join('')}</ul></div><div class="story">${paragraphs(9)}</div>`,
        'A rope that held',
      ),
      '/2026/a-rope.html',
    )
    expect(text).toContain('which our team has carried')
    expect(namesIn(text)).toEqual([])
  })

  it('is no list of other stories after an article', async () => {
    const others = `<div class="related"><h3>More stories</h3>${listOf(entries['a blog'] ?? String)}</div>`
    const { text } = await read(
      page(`<article>${paragraphs(6)}</article>${others}`, 'A rope that held'),
      '/2026/a-rope.html',
    )
    expect(text).toContain('which our team has carried')
    expect(namesIn(text)).toEqual([])
  })

  it('is no menu of pictures on a page without a title', async () => {
    const menu = `<div class="top">${names.map((name, at) => `<div class="m"><a href="/${at}"><img src="/${at}.gif">${name}</a></div>`).join('')}</div>`
    const { text } = await read(`<title>A rope</title><body>${menu}<div class="text">${paragraphs(4)}</div>`)
    expect(namesIn(text)).toEqual([])
  })
})

describe('the remarks of a discussion', () => {
  const texts = [
    'The red one.',
    'Which glass did you take?',
    'Ours has run for nine years without a repair.',
    'Thanks, ordered.',
    'Good to know.',
  ]
  const post = (text: string, at: number): string =>
    `<li class="remark"><div class="by"><a href="/~u${at}">skipper${at}</a> ${at + 1} hours ago</div><div class="text"><p>${text}</p></div><div class="acts"><a href="/reply/${at}">reply</a></div></li>`

  it.each(['/s/1', '/list/1', '/2026/a-story.html'])('are kept whole, with their authors, at %s', async (path) => {
    const { text } = await read(
      page(
        `<p>We have to replace the lamp on our pier and cannot agree on the glass. What do you use?</p><ol>${texts.map(post).join('')}</ol>`,
        'Pier lamps',
      ),
      path,
    )
    for (const [at, one] of texts.entries()) {
      expect(text).toContain(one)
      expect(text).toContain(`skipper${at}`)
    }
  })
})

describe('what structured data states', () => {
  const ingredients = ['200 g flour', '2 eggs', '1 l of milk', '40 g butter, melted']
  const shown = ingredients.map((one) => {
    const [amount = '', ...rest] = one.split(' ')
    return `<div class="row"><span><b>${amount}</b></span><div>${rest.join(' ')}</div></div>`
  })
  const recipe = {
    '@type': 'Recipe',
    name: 'Pancakes',
    recipeIngredient: ingredients,
    recipeInstructions: [{ '@type': 'HowToStep', text: remark }],
  }
  const markup = (data: object): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
  const body = `<div class="side">${shown.join('')}</div><article>${paragraphs(5)}</article>`

  it('adds the ingredients of a recipe with their quantities, also beside an article', async () => {
    for (const data of [
      recipe,
      [recipe, { '@type': 'NewsArticle', headline: 'Pancakes', articleBody: remark.repeat(9) }],
    ]) {
      const { text } = await read(page(`${markup(data)}${body}`, 'Pancakes'))
      for (const part of ['200', 'g flour', 'eggs', 'l of milk', 'g butter, melted']) expect(text).toContain(part)
    }
  })

  it('adds the steps of a recipe with their heading, however they are stated', async () => {
    const steps = ['Whisk the eggs with half of the milk.', 'Fold in the flour, and let it rest for an hour.']
    const method = `<div class="side"><h3>Method</h3>${steps.map((step) => `<div class="s"><b>${step}</b></div>`).join('')}</div>`
    const stated = [
      steps.join(' '),
      steps,
      steps.map((text) => ({ '@type': 'HowToStep', text })),
      [
        {
          '@type': 'HowToSection',
          itemListElement: steps.map((text) => ({ '@type': 'HowToStep', text: `<p>${text}</p>` })),
        },
      ],
    ]
    const place = `<aside>${method}</aside><article>${paragraphs(8)}</article>`
    expect((await read(page(place, 'Pancakes'))).text).not.toContain(steps[0])
    for (const recipeInstructions of stated) {
      const { text } = await read(page(`${markup({ ...recipe, recipeInstructions })}${place}`, 'Pancakes'))
      for (const part of ['Method', ...steps]) expect(text).toContain(part)
    }
    const others = [...steps, 'Another recipe has further steps, which this page does not say. '.repeat(3)]
    const { text } = await read(page(`${markup({ ...recipe, recipeInstructions: others })}${place}`, 'Pancakes'))
    expect(text).not.toContain('Method')
  })

  it('adds the price, the brand and the number of a product, from JSON-LD and from microdata', async () => {
    const product = `<h1>Gull lamp</h1>${paragraphs(4)}<div class="buy"><div class="cost">1.599,00 €</div><div class="maker">Northlight</div><div class="code">No. 103066</div></div>`
    const data = {
      '@type': 'Product',
      name: 'Gull lamp',
      brand: { name: 'Northlight' },
      sku: '103066',
      offers: { price: '1599.00' },
    }
    const linked = `<main>${markup(data)}${product}</main>`
    const marked = `<main itemscope itemtype="https://schema.org/Product">${product}<meta itemprop="sku" content="103066"><meta itemprop="brand" content="Northlight"><span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="1599.00"></span></main>`
    for (const one of [linked, marked]) {
      const { text } = await read(`<title>Gull lamp</title><body>${one}</body>`)
      expect(text).toContain('1.599,00 €')
      expect(text).toContain('Northlight')
      expect(text).toContain('103066')
    }
  })

  it('adds nothing that the page does not show, and nothing of its menus', async () => {
    const { text } = await read(
      `<title>Pancakes</title><body><nav>${shown.join('')}</nav><main><h1>Pancakes</h1>${markup(recipe)}${paragraphs(5)}</main></body>`,
    )
    expect(text).not.toContain('flour')
  })
})

describe('a player between two parts of a text', () => {
  it.each([
    ['<audio controls src="/sound/bell.mp3"></audio>', '/sound/bell.mp3'],
    ['<video controls src="/film/ice.mp4"></video>', '/film/ice.mp4'],
  ])('is kept with its caption: %s', async (player, address) => {
    const figure = `<figure>${player}<figcaption>The bell</figcaption></figure>`
    const { text } = await read(
      page(`<article>${paragraphs(3)}${figure}${paragraphs(3)}</article>`, 'The harbour'),
      '/2026/the-harbour.html',
    )
    expect(text).toContain(address)
    expect(text).toContain('The bell')
  })
})

it('the titles of a list without headings are kept where its other parts are', async () => {
  const entry = (name: string, at: number): string =>
    `<li><div><a href="/b/${at}"><img src="/b${at}.jpg"></a></div><div><a href="/b/${at}" class="t">${name}</a><div>by <a href="/a/${at}">Ada Reed ${at}</a></div><div>4.${at}</div><div>9,${10 + at} €</div><button>Add to basket</button></div></li>`
  const list = `${filters}<ul class="bk">${names.map(entry).join('')}</ul><div class="about">${paragraphs(6)}</div>`
  const { text } = await read(page(list, 'Books'))
  expect(namesIn(text)).toEqual(names)
})

describe('the parts of a series whose other parts are content', () => {
  /** Returns the lines of a list that are kept, of which the names and the prices of half of the members were. */
  const keptOf = (line: (at: number) => string, probability: number): string[] => {
    const list = names.map((name, at) => `<li><a href="/${at}">${name}</a><p>${line(at)}</p></li>`).join('')
    const root = parseHtml(`<body><ul>${list}</ul></body>`).tree.$('body')[0]
    if (root === undefined) throw new Error('the page has no body')
    const texts = readBlocks(root, new Set())
    const kept = new Set(texts.blocks.filter(({ region: { element }, at }) => element.name !== 'p' || at % 4 === 1))
    const [url, kind] = ['https://northfield.test/gear', 'other'] as const
    keepSeriesWhole({ read: texts, url, kind, probabilityOf: () => probability, verdictOf: () => 1 }, kept)
    return texts.blocks.filter((block) => kept.has(block)).map(({ text }) => text)
  }
  const priceOf = (at: number): string => `$${20 + at}.00`

  it('are their prices, if half of them are kept', () => {
    const kept = keptOf(priceOf, 0.16)
    expect(names.filter((_, at) => kept.includes(priceOf(at)))).toEqual(names)
  })

  it('are no prices that are surely none, and no other lines', () => {
    expect(keptOf(priceOf, 0.1)).not.toContain(priceOf(1))
    expect(keptOf((at) => `Colour ${at}`, 0.16)).not.toContain('Colour 1')
  })

  it.each([
    ['cards of which the page has no element that the rules take for content', 0, 0.3],
    ['cards in the content', 1, 0.3],
  ])('are the names beside prices that are kept: %s', (_, verdict, probability) => {
    expect(namesIn(besidePrices((name) => `<h3>${name}</h3>`, verdict, probability))).toEqual(names)
  })

  it('are no names that are surely none, none that are set apart, and no commands', () => {
    expect(namesIn(besidePrices((name) => `<h3>${name}</h3>`, 0, 0.1))).toEqual([])
    expect(namesIn(besidePrices((name) => `<h3>${name}</h3>`, -1, 0.3))).toEqual([])
    expect(namesIn(besidePrices((name) => `<div><button>Look at ${name}</button></div>`, 0, 0.3))).toEqual([])
    expect(besidePrices(() => '<h3>Look closer</h3>', 0, 0.3)).not.toContain('closer')
  })

  /** Returns the lines that are kept of cards whose prices and notes are in the content. */
  function besidePrices(head: (name: string) => string, verdict: number, probability: number): string {
    const cards = names.map((name, at) => `<div class="card">${head(name)}<p>${priceOf(at)}</p></div>`).join('')
    const root = parseHtml(`<body><div>${cards}</div></body>`).tree.$('body')[0]
    if (root === undefined) throw new Error('the page has no body')
    const texts = readBlocks(root, new Set())
    const kept = new Set(texts.blocks.filter(({ region: { element } }) => element.name === 'p'))
    const [url, kind] = ['https://northfield.test/gear', 'other'] as const
    keepSeriesWhole({ read: texts, url, kind, probabilityOf: () => probability, verdictOf: () => verdict }, kept)
    return texts.blocks.flatMap((block) => (kept.has(block) ? [block.text] : [])).join('\n')
  }
})

describe('the parts of a member that its markup sets apart', () => {
  const dateOf = (at: number): string => `${at + 3} May 2026`
  const placeOf = (at: number): string => `${['Ash', 'Elm', 'Oak', 'Fir', 'Yew', 'Bay', 'Box', 'Hop'][at]} Hall`
  const link = (name: string): string => `<a href="/p/${slugOf(name)}">${name}</a>`
  const share = '<ul><li><a href="#share">Share it</a></li><li><button>Pin it</button></li></ul>'
  const members: Readonly<Record<string, (name: string, at: number) => string>> = {
    'its header and footer': (name, at) =>
      `<article><header><h3>${link(name)}</h3></header><img src="/${at}.jpg"><p>${dateOf(at)}</p><footer><p>${placeOf(at)}</p>${share}</footer></article>`,
    'elements that are named so': (name, at) =>
      `<div class="col"><div class="card-header">${link(name)}</div><img src="/${at}.jpg"><div class="card-footer"><div>${dateOf(at)}</div><div>${placeOf(at)}</div><button>Book it</button></div></div>`,
    'the footer of a few cards': (name, at) =>
      at > 3
        ? ''
        : `<article><img src="/${at}.jpg"><h3>${link(name)}</h3><footer><p>${dateOf(at)}</p><p>${placeOf(at)}</p><button>Book it</button></footer></article>`,
    'a form': (name, at) =>
      `<form action="/book"><img src="/${at}.jpg"><h4>${name}</h4><div>${dateOf(at)}</div><div>${placeOf(at)}</div><select><option>One seat</option></select><button>Book it</button></form>`,
    'an aside': (name, at) =>
      `<aside class="tile"><img src="/${at}.jpg"><h3>${link(name)}</h3><p>${dateOf(at)}</p><p>${placeOf(at)}</p></aside>`,
  }

  it.each(Object.keys(members))('stay with it: %s', async (kind) => {
    const shown = kind.includes('few') ? names.slice(0, 4) : names
    const { text } = await read(page(`${filters}${listOf(members[kind] ?? String)}`, 'What is on'), '/events')
    const parts = shown.flatMap((name, at) => [name, dateOf(at), placeOf(at)])
    expect(parts.filter((part) => !text.includes(part))).toEqual([])
    for (const command of ['Share it', '#share', 'Pin it', 'Book it', 'One seat', 'Black (3)', '© Northfield'])
      expect(text).not.toContain(command)
  })

  /** Returns what is added to cards of which the names are kept. */
  function added(part: (name: string, at: number) => string, verdict = -1, probability = 0.1): string[] {
    const list = names.map((name, at) => `<div class="card"><h3>${name}</h3>${part(name, at)}</div>`)
    const body = parseHtml(page(list.join(''))).tree.$('body')[0]
    if (body === undefined) throw new Error('the page has no body')
    const texts = readBlocks(body, new Set())
    const known = new Set(texts.blocks.filter(({ text }) => names.includes(text)))
    const source = {
      read: texts,
      url: 'https://northfield.test/',
      kind: 'other',
      probabilityOf: () => probability,
      verdictOf: ({ element }: { element: { name: string } }) => (element.name === 'main' ? 1 : verdict),
    } as const
    return findMemberParts(source, known).map(({ text }) => text)
  }

  it('are what tells most members apart: days, prices, names, and numbers that are not surely none', () => {
    const inFooter = (textOf: (at: number) => string) => (_: string, at: number) =>
      `<footer><p>${textOf(at)}</p></footer>`
    const minutes = (at: number): string => `${at * 5 + 20} minutes`
    for (const textOf of [dateOf, placeOf, (at: number) => `$${at + 20}.00`, minutes])
      expect(added(inFooter(textOf))).toEqual(names.map((_, at) => textOf(at)))
    expect(added(inFooter(minutes), -1, 0.01)).toEqual([])
    expect(added((name, at) => (at < 4 ? inFooter(placeOf)(name, at) : ''))).toEqual([])
  })

  it.each<[string, (name: string, at: number) => string]>([
    ['commands', () => '<footer><p>Share</p></footer>'],
    ['commands with the name of the member', (name) => `<footer><p>Share this page: ${name}</p></footer>`],
    ['buttons', (_, at) => `<footer><button>${placeOf(at)}</button></footer>`],
    ['counts that lead to remarks', (_, at) => `<footer><a href="#r">${at + 2} comments</a></footer>`],
    [
      'what is named an advertisement',
      (_, at) => `<footer><div class="sponsored"><p>${placeOf(at)}</p></div></footer>`,
    ],
    ['what the rules reject for another reason', (_, at) => `<div><p>${placeOf(at)}</p></div>`],
    ['links that lead on', (_, at) => `<footer><a href="/docs/${at}">${placeOf(at)}</a></footer>`],
    ['those whose pictures they are', (_, at) => `<footer><p>© ${placeOf(at)}</p></footer>`],
    ['repeated names', (name) => `<footer><p>${name}</p></footer>`],
  ])('are no %s', (_, part) => {
    expect(added(part)).toEqual([])
  })
})
