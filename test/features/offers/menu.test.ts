import { describe, expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const html = (body: string, head = '', title = 'Menu · The Harbour'): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`

async function menuOf(page: string, path = '/menu') {
  await on.open({ [path]: page })
  return await on.engine.scrape(on.site.url(path), { formats: ['menu'] })
}

const dish = (name: string, price: string, more: object = {}) => ({
  '@type': 'MenuItem',
  name,
  offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
  ...more,
})

describe('format menu', () => {
  it('reads sections, dishes, prices and diets from JSON-LD, whatever object contains the menu', async () => {
    const data = {
      '@context': 'https://schema.org',
      '@type': 'Restaurant',
      name: 'The Harbour',
      address: { '@type': 'PostalAddress', streetAddress: '1 Quay', addressLocality: 'Port' },
      hasMenu: {
        '@type': 'Menu',
        name: 'Dinner',
        url: '/menu/dinner',
        hasMenuSection: [
          {
            '@type': 'MenuSection',
            name: 'Starters',
            description: 'From the boat',
            hasMenuItem: [
              dish('Soup', '6.50', {
                suitableForDiet: 'https://schema.org/GlutenFreeDiet',
                description: 'of the day',
                identifier: 'S-1',
              }),
              dish('Bread', '2', {
                offers: { price: '2', priceCurrency: 'EUR', availability: 'https://schema.org/SoldOut' },
                image: '/bread.jpg',
                nutrition: { '@type': 'NutritionInformation', calories: '5,021 kJ / 1,200 kcal' },
              }),
            ],
          },
          {
            '@type': 'MenuSection',
            name: 'Drinks',
            hasMenuSection: {
              '@type': 'MenuSection',
              name: 'Beer',
              hasMenuItem: {
                '@type': 'MenuItem',
                name: 'Lager',
                offers: [
                  { '@type': 'Offer', name: 'small', price: '3.20', priceCurrency: 'EUR' },
                  { '@type': 'Offer', name: 'large', price: '4.80', priceCurrency: 'EUR' },
                ],
              },
            },
          },
        ],
      },
    }
    const { menu, warning, metadata } = await menuOf(
      html('<main><h1>Menu</h1></main>', `<script type="application/ld+json">${JSON.stringify(data)}</script>`),
    )
    const sourceUrl = on.site.url('/menu')
    const plain = {
      images: [],
      availability: { inStock: true },
      dietary: [],
      optionGroups: [],
      identifiers: {},
      sourceUrl,
    }
    expect(menu).toEqual({
      isMenu: true,
      confidence: 1,
      merchant: { name: 'The Harbour', type: 'Restaurant', location: '1 Quay, Port' },
      name: 'Dinner',
      url: on.site.url('/menu/dinner'),
      currency: 'EUR',
      sourceUrl,
      sections: [
        {
          id: 'starters',
          name: 'Starters',
          description: 'From the boat',
          items: [
            {
              ...plain,
              id: 'starters/soup',
              name: 'Soup',
              description: 'of the day',
              price: { amount: 6.5, currency: 'EUR' },
              dietary: ['gluten-free'],
              identifiers: { merchantItemId: 'S-1' },
            },
            {
              ...plain,
              id: 'starters/bread',
              name: 'Bread',
              price: { amount: 2, currency: 'EUR' },
              images: [{ url: on.site.url('/bread.jpg') }],
              availability: { inStock: false, text: 'SoldOut' },
              calories: 1200,
            },
          ],
        },
        {
          id: 'drinks/beer',
          name: 'Drinks / Beer',
          items: [
            {
              ...plain,
              id: 'drinks/beer/lager',
              name: 'Lager',
              price: { amount: 3.2, currency: 'EUR' },
              optionGroups: [
                {
                  options: [
                    { name: 'small', price: { amount: 3.2, currency: 'EUR' } },
                    { name: 'large', price: { amount: 4.8, currency: 'EUR' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
    expect(warning).toBeUndefined()
    expect(metadata.creditsUsed).toBe(1)
  })

  it('gives each dish an id of its own', async () => {
    const hasMenuItem = ['Menu', 'Menu', 'Menu 2', 'Menu'].map((name) => dish(name, '9'))
    const data = { '@context': 'https://schema.org', '@type': 'Menu', hasMenuItem }
    const { menu } = await menuOf(html('', `<script type="application/ld+json">${JSON.stringify(data)}</script>`))
    const ids = menu?.sections.flatMap(({ items }) => items.map(({ id }) => id)) ?? []
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })

  it('reads microdata, several menus as sections', async () => {
    const section = (name: string, food: string) =>
      `<section itemscope itemtype="https://schema.org/Menu"><h2 itemprop="name">${name}</h2>
        <div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><b itemprop="name">${food}</b>
        <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><i itemprop="price">9</i></span></div></section>`
    const { menu } = await menuOf(html(`<main>${section('Lunch', 'Pasta')}${section('Dinner', 'Fish')}</main>`))
    expect(menu?.sections).toMatchObject([
      { id: 'lunch', name: 'Lunch', items: [{ id: 'lunch/pasta', name: 'Pasta', price: { amount: 9 } }] },
      { id: 'dinner', name: 'Dinner', items: [{ id: 'dinner/fish', name: 'Fish', price: { amount: 9 } }] },
    ])
  })

  it.each<[string, string]>([
    [
      'blocks with a name, a text and a price',
      [
        [
          'Starters',
          [
            ['Soup of the day', 'with bread', '6,50 €'],
            ['Olives (vegan)', '', '4 €'],
          ],
        ] as const,
        [
          'Mains',
          [
            ['Fish and chips', 'peas, tartare', '14,00 €'],
            ['Risotto', 'mushrooms', '1 200,00 €'],
          ],
        ] as const,
      ]
        .map(
          ([name, dishes]) =>
            `<section><h2>${name}</h2>${dishes
              .map(
                ([title, text, price]) =>
                  `<div class="dish"><h3>${title}</h3><p>${text}</p><span class="price">${price}</span></div>`,
              )
              .join('')}</section>`,
        )
        .join(''),
    ],
    [
      'lines that end with a price',
      `<h2>Starters</h2><ul><li>Soup of the day ..... 6,50 €</li><li>Olives (vegan) – 4 €</li></ul>
       <h2>Mains</h2><ul><li>Fish and chips … 14,00 €</li><li>Risotto 1 200,00 €</li></ul>`,
    ],
    [
      'tables',
      `<h2>Starters</h2><table><tr><td>Soup of the day</td><td>6,50&nbsp;€</td></tr><tr><td>Olives (vegan)</td><td>4 €</td></tr></table>
       <h2>Mains</h2><table><tr><td>Fish and chips</td><td>14,00 €</td></tr><tr><td>Risotto</td><td>1 200,00 €</td></tr></table>`,
    ],
    [
      'lists of terms, the sign apart from the number',
      `<h2>Starters</h2><dl><div><dt>Soup of the day</dt><dd><b>€</b><i>6,50</i></dd></div><div><dt>Olives (vegan)</dt><dd><b>€</b><i>4</i></dd></div></dl>
       <h2>Mains</h2><dl><div><dt>Fish and chips</dt><dd><b>€</b><i>14,00</i></dd></div><div><dt>Risotto</dt><dd><b>€</b><i>1 200,00</i></dd></div></dl>`,
    ],
  ])('reads names and prices by the layout of a page: %s', async (_, body) => {
    const { menu } = await menuOf(
      html(`<nav>Menu 5 €</nav><main><h1>Our menu</h1>${body}</main><footer>Card from 10 €</footer>`),
    )
    expect(menu?.currency).toBe('EUR')
    expect(
      menu?.sections.map(({ name, items }) => [
        name,
        items.map((item) => [item.name, item.price?.amount, item.dietary]),
      ]),
    ).toEqual([
      [
        'Starters',
        [
          ['Soup of the day', 6.5, []],
          ['Olives', 4, ['vegan']],
        ],
      ],
      [
        'Mains',
        [
          ['Fish and chips', 14, []],
          ['Risotto', 1200, []],
        ],
      ],
    ])
  })

  it.each([
    ['items', (name: string, price: string) => `<li>${name} ${price}</li>`, 'ul'],
    ['rows', (name: string, price: string) => `<tr><td>${name}</td><td>${price}</td></tr>`, 'table'],
    ['cards', (name: string, price: string) => `<div class="dish"><b>${name}</b> <i>${price}</i></div>`, 'div'],
  ])('gives no dish the price of another one in its section: %s', async (_what, line, around) => {
    const section = (name: string, ...dishes: string[]): string =>
      `<h2>${name}</h2><${around}>${dishes.join('')}</${around}>`
    const { menu } = await menuOf(
      html(
        section('Starters', line('Soup', '6,50 €'), line('Salad', '7,00 €'), line('Olives', '4,00 €')) +
          section('Mains', line('Fish of the day', 'market price'), line('Steak', '24,00 €')),
      ),
    )
    expect(menu?.sections[1]).toMatchObject({ name: 'Mains', items: [{ name: 'Steak', price: { amount: 24 } }] })
    expect(JSON.stringify(menu)).not.toContain('Fish')
  })

  it.each([
    ['cells', (name: string, price: string) => `<tr><td class="c">${name}</td><td class="c">0,3l ${price}</td></tr>`],
    [
      'words of a line',
      (name: string, price: string) => `<p><span class="c">${name}</span> <span class="c">0,3l ${price}</span></p>`,
    ],
    [
      'lines',
      (name: string, price: string) =>
        `<div class="dish"><div class="line">${name}</div><div class="line">cold, 0,3l … ${price}</div></div>`,
    ],
    [
      'items',
      (name: string, price: string) => `<li><ul><li>${name}</li><li>cold, 0,3l</li><li>only ${price}</li></ul></li>`,
    ],
  ])('keeps the name of a dish whose parts are of one kind: %s', async (_what, line) => {
    const names = ['Cola', 'Water', 'Juice', 'Tea', 'Beer']
    const lines = names.map((name) => line(name, '4,50 €')).join('')
    const { menu } = await menuOf(html(lines.startsWith('<tr') ? `<table>${lines}</table>` : `<ul>${lines}</ul>`))
    expect(menu?.sections[0]?.items.map(({ name }) => name)).toEqual(names)
    expect(menu?.sections[0]?.items[0]?.description).toContain('0,3l')
  })

  it('keeps the descriptions and sizes of dishes without structured data', async () => {
    const row = (name: string, text: string, ...prices: string[]) =>
      `<div class="row"><div class="left"><h4>${name}</h4><p>${text}</p></div>${prices.map((price) => `<span>${price}</span>`).join(' ')}</div>`
    const { menu } = await menuOf(
      html(
        `<h1>Speisekarte</h1><h2>Pizza</h2>${row('Margherita', 'Tomaten, Käse', '$8.50')}${row('Funghi', 'Pilze', '$9.50', '$12.50')}
         ${row('Salami', 'scharf', '$9')}${row('Tonno', 'mit Zwiebeln', '$10')}`,
        '',
        'The Harbour',
      ),
      '/karte',
    )
    expect(menu).toMatchObject({ confidence: 0.8, merchant: { name: '127.0.0.1' } })
    expect(menu?.sections).toMatchObject([
      {
        name: 'Pizza',
        items: [
          { name: 'Margherita', description: 'Tomaten, Käse', price: { amount: 8.5, formatted: '$8.50' } },
          {
            name: 'Funghi',
            description: 'Pilze',
            price: { amount: 9.5, formatted: '$9.50' },
            optionGroups: [
              {
                options: [
                  { price: { amount: 9.5, formatted: '$9.50' } },
                  { price: { amount: 12.5, formatted: '$12.50' } },
                ],
              },
            ],
          },
          { name: 'Salami', description: 'scharf', price: { amount: 9, formatted: '$9' } },
          { name: 'Tonno', description: 'mit Zwiebeln', price: { amount: 10, formatted: '$10' } },
        ],
      },
    ])
  })

  const goods = Array.from(
    { length: 6 },
    (_, at) => `<div class="card"><h3>Chair ${at}</h3><b class="price">€ 99</b></div>`,
  )

  it.each<[string, string]>([
    ['a shop', html(`<h1>Chairs</h1>${goods.join('')}`, '', 'Chairs')],
    ['a menu without prices', html('<h1>Menu</h1><ul><li>Soup</li><li>Fish</li><li>Bread</li><li>Ice</li></ul>')],
    ['a page with a link to one', html('<h1>About us</h1><p>See the menu, from 5 €.</p>', '', 'About')],
    ['two dishes', html('<h1>Menu</h1><p>Soup 5 €</p><p>Fish 9 €</p>')],
  ])('finds no menu in %s', async (_, page) => {
    const { menu, warning } = await menuOf(page, '/place')
    expect(menu).toBeUndefined()
    expect(warning).toMatch(/no `menu`/)
  })
})
