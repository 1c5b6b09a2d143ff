import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })

/** Encodes an address as the proxy does. */
function encode(address: string, key = 0x5a): string {
  const bytes = [key, ...[...Buffer.from(address)].map((byte) => byte ^ key)]
  return Buffer.from(bytes).toString('hex')
}

const read = async (html: string): Promise<string> =>
  (await engine.parse({ url: 'https://site.test/', body: `<main><p>Write to ${html} today.</p></main>` })).markdown

const LINK = '/cdn-cgi/l/email-protection'
const code = encode('master@port.example')

it.each([
  ['a link', `<a href="${LINK}" class="__cf_email__" data-cfemail="${code}">[email&#160;protected]</a>`],
  [
    'a span in a link',
    `<a href="${LINK}#${code}"><span class="__cf_email__" data-cfemail="${code}">[email]</span></a>`,
  ],
])('a mail address that a proxy has encoded in %s is written', async (_, html) => {
  expect(await read(html)).toBe('Write to [master@port.example](mailto:master@port.example) today.')
})

it.each([
  ['in text', `<span class="__cf_email__" data-cfemail="${code}">[email]</span>`, 'master@port.example'],
  ['behind words', `<a href="${LINK}#${code}">the master</a>`, '[the master](mailto:master@port.example)'],
  [
    'with letters of any script',
    `<span data-cfemail="${encode('käpt@hafen.example', 7)}">[e]</span>`,
    'käpt@hafen.example',
  ],
])('so is one %s', async (_, html, expected) => {
  expect(await read(html)).toBe(`Write to ${expected} today.`)
})

it('so is one in a listing', async () => {
  expect(await read(`</p><pre>mail("<a class="__cf_email__" data-cfemail="${code}">[email]</a>")</pre><p>`)).toContain(
    'mail("master@port.example")',
  )
})

it.each(['zz', '5a', encode('no address'), encode('a@b.example><script>'), 'ab'.repeat(2000)])(
  'what is no address stays as it is: %s',
  async (other) => {
    expect(await read(`<span data-cfemail="${other}">us</span>`)).toBe('Write to us today.')
  },
)
