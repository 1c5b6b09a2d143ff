import { expect, it } from 'vitest'
import { repairMojibake } from '../../../../src/features/browser/injected/repair-mojibake.js'
import { decodeText } from '../../../../src/content/encoding/decode-text.js'

/** Text whose UTF-8 bytes were decoded as windows-1252, as a browser serializes it. */
const garble = (text: string): string =>
  decodeText({ body: Buffer.from(text), contentType: 'text/html; charset=windows-1252' }, 'html').replaceAll(
    '\u00a0',
    '&nbsp;',
  )

it('decodes every character of UTF-8 again', () => {
  for (let code = 0xa1; code < 0x1_10_000; code += code < 0x3000 ? 1 : 61) {
    if (code >= 0xd800 && code < 0xe000) continue
    const text = String.fromCodePoint(code)
    expect(repairMojibake(garble(`<p>${text}</p>`))).toBe(`<p>${text}</p>`)
  }
})

it('keeps the spaces that do not break as they are written', () => {
  expect(repairMojibake('<p>Â&nbsp;x&nbsp;yÃ&nbsp;</p><script>"Â\u00a0"</script>')).toBe(
    '<p>&nbsp;x&nbsp;yà</p><script>"\u00a0"</script>',
  )
})

it('keeps text that scripts inserted', () => {
  expect(repairMojibake(`${garble('<p>äöü “x” 日本</p>')}<p>ä ß 日本 😀</p>`)).toBe(
    '<p>äöü “x” 日本</p><p>ä ß 日本 😀</p>',
  )
})

it.each(['<p>„Spaß“ für Gäste</p>', '<p>CAFÉ® à côté, 3 €</p>', '<p>plain</p>', '<p>日本</p>'])(
  'returns windows-1252 text as it is: %s',
  (html) => expect(repairMojibake(html)).toBe(html),
)
