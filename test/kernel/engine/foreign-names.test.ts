import { describe, expect, it } from 'vitest'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

/** Names that every object has. */
const NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'isPrototypeOf']

/** A page that has these names wherever a page names something. */
const page = `<!doctype html><html lang="constructor"><head><title>Deck Lamp</title>
${NAMES.map((name) => `<meta name="${name}" content="x"><meta property="${name}" content="y"><link rel="${name}" href="/${name}">`).join('\n')}
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Deck Lamp","offers":{"@type":"Offer","price":"12.50","priceCurrency":"EUR","__proto__":{"price":"1"}},${NAMES.map((name) => `"${name}":{"@type":"${name}","${name}":"x"}`).join(',')}}</script>
<script>window.__APOLLO_STATE__ = {"ROOT_QUERY":{"a":{"__ref":"__proto__"},"__proto__(x)":{"isAdmin":true},"constructor":"x"}}</script>
</head><body><main class="${NAMES.join(' ')}" id="constructor" role="constructor"><h1 ${NAMES.map((name) => `${name}="${name}"`).join(' ')}>Deck Lamp</h1>
<p>The lamp is of brass, and it stands on the deck of every ship of the harbour since 1890.</p>
<constructor><valueof><p>Its light is seen from five miles.</p></valueof></constructor>
<div itemscope itemtype="https://schema.org/Product">${NAMES.map((name) => `<span itemprop="${name}">a</span><span itemprop="${name}">b</span>`).join('')}<span itemprop="name">Deck Lamp</span></div>
<div vocab="https://schema.org/" typeof="Product">${NAMES.map((name) => `<span property="${name}">a</span>`).join('')}<span property="name">Deck Lamp</span></div>
<math><mover><mi mathvariant="constructor">x</mi><mo>constructor</mo></mover><menclose notation="constructor valueOf"><mi>y</mi></menclose></math>
<a href="/file.constructor">a file</a><a href="/b?constructor=1&__proto__=2">b</a>&constructor;&valueof;
<table><tr><th>constructor</th><td>x</td></tr><tr><th>__proto__</th><td>y</td></tr></table></main></body></html>`

describe('names of properties that every object inherits', () => {
  it('are ordinary names on a page', async () => {
    await on.open({ '/': page }, () => ({ says: { name: 'Deck Lamp' } }))
    const document = await on.engine.scrape(on.site.url('/'), {
      formats: [
        'markdown',
        'html',
        'links',
        'images',
        'product',
        'menu',
        { type: 'json', mode: 'structured', schema: { type: 'object', properties: { name: { type: 'string' } } } },
        {
          type: 'attributes',
          selectors: [
            { selector: 'p', attribute: 'constructor' },
            { selector: 'h1', attribute: 'valueOf' },
          ],
        },
      ],
    })
    expect(document.metadata.error).toBeUndefined()
    expect(document.markdown).toContain('since 1890')
    expect(document.markdown).toContain('Its light is seen from five miles.')
    expect(document.product).toMatchObject({ title: 'Deck Lamp' })
    expect(document.json).toEqual({ name: 'Deck Lamp' })
    expect(document.attributes?.map(({ values }) => values)).toEqual([[], ['valueOf']])
    expect(document.links).toContain(on.site.url('/file.constructor'))
  })

  it('can be properties of a schema, and are absent if the page does not have them', async () => {
    await on.open({ '/': page.replaceAll(/<script[^]*?<\/script>/g, '') }, () => ({}))
    const properties = Object.fromEntries(['name', ...NAMES].map((name) => [name, { type: 'string' }]))
    const document = await on.engine.scrape(on.site.url('/'), {
      formats: [
        {
          type: 'json',
          mode: 'structured',
          schema: {
            type: 'object',
            properties: { ...properties, other: { type: 'string' }, propertyIsEnumerable: { type: 'string' } },
          },
        },
      ],
    })
    expect(document.warning ?? '').not.toContain('cannot')
    expect(Object.hasOwn(Object(document.json), 'propertyIsEnumerable')).toBe(false)
    expect(Object.getPrototypeOf(document.json)).toBe(Object.prototype)
  })
})

describe('a model’s answer', () => {
  it.each<[string, object]>([
    [
      'with a schema',
      { schema: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false } },
    ],
    ['without a schema', {}],
    ['with evidence', { evidence: true }],
  ])('gives document.json no prototype, %s', async (_, options) => {
    const says = '{"name":"Deck Lamp","__proto__":{"isAdmin":true}}'
    const answer = 'evidence' in options ? `{"data":${says},"quotes":[]}` : says
    await on.open({ '/': article('<p>The Deck Lamp is of brass.</p>') }, () => ({ says: answer }))
    const document = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', ...options }] })
    expect(document.json).toEqual({ name: 'Deck Lamp' })
    expect(Object.keys(Object(document.json))).toEqual(['name'])
    expect((Object(document.json) as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})
