import { expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { parseFile } from '../../../src/content/parse/parse.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const NAMESPACES = ['office', 'text', 'table', 'style', 'fo', 'drawing', 'presentation', 'meta', 'number', 'form']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:dc="http://purl.org/dc/elements/1.1/"', `xmlns:longer="${'x'.repeat(3000)}"`)

const flat = (kind: string, body: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${NAMESPACES.join(' ')} office:version="1.3"
      office:mimetype="application/vnd.oasis.opendocument.${kind}">
      <office:meta><dc:title>The Pier</dc:title></office:meta>
      <office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  )

const text = flat('text', '<text:h text:outline-level="1">A Chapter</text:h><text:p>Some text.</text:p>')
const sheet = flat(
  'spreadsheet',
  `<table:table table:name="Fares"><table:table-row><table:table-cell><text:p>From</text:p></table:table-cell>
   <table:table-cell><text:p>Fare</text:p></table:table-cell></table:table-row><table:table-row>
   <table:table-cell><text:p>Pier</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell>
   </table:table-row></table:table>`,
)

it.each(['application/vnd.oasis.opendocument.text-flat-xml', 'application/xml', 'application/octet-stream', undefined])(
  'reads flat OpenDocument files, served as %s',
  async (contentType) => {
    await on.open({})
    const served = contentType === undefined ? {} : { contentType }
    const read = await on.engine.parse({ body: text, url: 'https://a.test/a.fodt', ...served })
    expect(read.markdown).toBe('# A Chapter\n\nSome text.')
    expect(read.metadata.title).toBe('The Pier')
    const { markdown } = await on.engine.parse({ body: sheet, url: 'https://a.test/a.fods', ...served })
    expect(markdown).toContain('## Fares\n\n| From | Fare |\n| --- | --- |\n| Pier | 3 |')
  },
)

it('refuses one that is cut off before its content', async () => {
  const body = new Uint8Array(text.subarray(0, text.indexOf('<office:body>')))
  const plan = { maxHtmlBytes: 1e6, maxDepth: 256, maxNodes: 1e5 }
  await expect(parseFile({ url: 'https://a.test/a.fodt', body }, plan)).rejects.toThrow(TrawlError)
})

it('leaves out deleted text that a flat document keeps in its place, unless its end is missing', async () => {
  await on.open({})
  const region = (id: string, kind: string): string =>
    `<text:changed-region xml:id="${id}" text:id="${id}"><text:${kind}/></text:changed-region>`
  const mark = (id: string, at: 'start' | 'end'): string => `<text:change-${at} text:change-id="${id}"/>`
  const body = [
    `<text:tracked-changes>${region('a', 'deletion')}${region('b', 'insertion')}${region('c', 'deletion')}</text:tracked-changes>`,
    `<text:p>One ${mark('a', 'start')}two <text:span>three</text:span></text:p><text:p>four ${mark('a', 'end')}five`,
    ` ${mark('b', 'start')}six${mark('b', 'end')} ${mark('c', 'start')}seven</text:p>`,
  ]
  const { markdown } = await on.engine.parse({ body: flat('text', body.join('')), url: 'https://a.test/a.fodt' })
  expect(markdown).toBe('One\n\nfive six seven')
})
