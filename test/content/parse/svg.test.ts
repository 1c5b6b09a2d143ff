import { expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const read = async (drawing: string): Promise<{ markdown?: string; metadata: { title?: string } }> =>
  await on.engine.parse({
    body: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${drawing}</svg>`,
    ),
    url: 'https://a.test/plan.svg',
    contentType: 'image/svg+xml',
  })

it('returns the title, the description and the text of an SVG image, with links', async () => {
  await on.open({})
  const { markdown, metadata } = await read(
    `<title>The harbour</title><desc>A plan of the piers.</desc><style>text { fill: red }</style><defs><text>unseen</text></defs>
     <g><title>a tip</title><text x="1" y="2">Pier <tspan>one</tspan><tspan x="1" dy="1.2em">with a lamp</tspan></text></g>
     <a xlink:href="/ferry"><text>Ferry</text></a><text display="none">gone</text>`,
  )
  expect(markdown).toBe(
    '# The harbour\n\nA plan of the piers.\n\n- Pier one\n- with a lamp\n- [Ferry](https://a.test/ferry)',
  )
  expect(metadata.title).toBe('The harbour')
})

it('returns the source of an SVG image without text', async () => {
  await on.open({})
  const { markdown } = await read('<path d="M0 0L1 1"/>')
  expect(markdown).toMatch(/^```xml\n<svg [^]*<path d="M0 0L1 1"\/><\/svg>\n```$/)
})

it('returns the HTML in an SVG image, which diagrams have for their labels', async () => {
  await on.open({})
  const label = (html: string): string =>
    `<foreignObject><div xmlns="http://www.w3.org/1999/xhtml">${html}</div></foreignObject>`
  const { markdown } = await read(
    `<g>${label('<style>p {}</style><p>Pier <b>one</b><br/>with a lamp</p>')}</g><text>Quay</text><a href="/ferry">${label('Ferry')}</a>`,
  )
  expect(markdown).toBe('- Pier one\n- with a lamp\n- Quay\n- [Ferry](https://a.test/ferry)')
})

it('returns one of the alternatives in an SVG image', async () => {
  await on.open({})
  const { markdown } = await read(
    `<switch><foreignObject><p>Pier one</p></foreignObject><text>Pier...</text></switch>
     <switch><g requiredFeatures="x"/><text>This image needs a newer program</text></switch>
     <switch><foreignObject requiredExtensions="http://ns.adobe.test/"><i>data</i></foreignObject><g><text>Quay</text><text>Ferry</text></g></switch>`,
  )
  expect(markdown).toBe('- Pier one\n- Quay\n- Ferry')
})

it('returns the text of an SVG image that is served as XML', async () => {
  await on.open({})
  const body = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>Pier one</text></svg>'
  const { markdown } = await on.engine.parse({ body, url: 'https://a.test/plan', contentType: 'text/xml' })
  expect(markdown).toBe('- Pier one')
})
