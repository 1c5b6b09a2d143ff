import { expect, it } from 'vitest'
import { hideSecrets } from '../../../src/content/html/hide-secrets.js'

it('nothing is left of a secret that begins with another one', () => {
  const message = 'sent hunter2-long, then hunter2'
  expect(hideSecrets(message, ['hunter2', 'hunter2-long'])).toBe('sent …, then …')
})

it('a secret is taken out as forms and addresses have it, also with half a pair of UTF-16', () => {
  for (const secret of ['a b&c', 'über 100 %', 'half \uD83D of a pair', '\uDE00 and the other']) {
    const form = new URLSearchParams({ '': secret }).toString().slice(1)
    const inAddress = new URL(`http://site/?${encodeURI(secret.replace(/\p{Surrogate}/gu, '\uFFFD'))}`).search.slice(1)
    const message = `${secret}; ${form}; ${inAddress.replaceAll('&', '%26')}`
    expect(hideSecrets(message, [secret])).toBe('…; …; …')
  }
})

it('a secret is taken out of Base64 of more than it, as of a name and a password', () => {
  for (const secret of ['hunter2', 'p/ss+"w<ö>rd" & 9%?>~\\', 'über'])
    for (const [before, behind] of [
      ['anna:', ''],
      ['ann:', '\n'],
      ['an:', ':1'],
      ['', ':anna'],
      ['{"pass":"', '"}'],
    ])
      for (const encoding of ['utf8', 'latin1'] as const) {
        const bytes = Buffer.from(`${before}${secret}${behind}`, encoding)
        const plain = bytes.toString('base64')
        for (const text of [plain, bytes.toString('base64url'), encodeURIComponent(plain)])
          expect(hideSecrets(`is ${text}, said the site`, [secret])).toBe('is …, said the site')
      }
  expect(hideSecrets('internationalization of bGFudGVybg==', ['hunter2', 'ab1'])).toContain('bGFudGVybg==')
})

it('a secret is taken out of Base64 as addresses, JSON and HTML have it, and of tokens', () => {
  const secret = 'p/ss+"w<ö>~?"'
  const json = JSON.stringify({ pass: secret })
  const inToken = [json, json.replace('ö', '\\u00f6'), `a=${encodeURIComponent(secret)}`]
  // Each begins at another bit, and with signs of Base64 within the secret.
  for (const own of [secret, '>>>???~~~', ...inToken])
    for (const before of ['', 'a', 'ab']) {
      const plain = Buffer.from(`${before}${own}`).toString('base64')
      const escaped = [
        encodeURIComponent(encodeURIComponent(plain)),
        plain.replaceAll('/', '\\/'),
        plain.replace(/[+=]/g, (sign) => (sign === '+' ? '\\u002B' : '\\u003D')),
        plain.replaceAll('+', '&#43;').replaceAll('=', '&#61;'),
        plain.replaceAll('+', '&#x2B;').replaceAll('/', '&#x2F;'),
      ]
      for (const text of escaped)
        expect(hideSecrets(`is ${text}, said the site`, [secret, '>>>???~~~'])).toBe('is …, said the site')
    }
  const message = 'its page has `user-name`, `a/b/c`, aGVsbG8gd29ybGQ= and Caesar'
  expect(hideSecrets(message, ['a', 'ab', '', '~', 'q7z'])).toBe(message)
})

it('a secret is taken out as JSON, HTML and programs have it, also in an address', () => {
  const secret = 'p/ss+"w<ö>rd" & 9%?>~'
  const bytes = Buffer.from(secret)
  const html = 'p/ss+&quot;w&lt;ö&gt;rd&quot; &amp; 9%?&gt;~'
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const hex = bytes.toString('hex')
  const ascii = json.replace('ö', '\\u00f6')
  const numbers = 'p&#47;ss&#43;&#34;w&#60;&#246;&#62;rd&#34; &#38; 9&#37;&#63;&#62;&#126;'
  for (const text of [json, ascii, html, numbers, base64, bytes.toString('base64url'), hex, hex.toUpperCase()]) {
    const address = encodeURIComponent(text)
    const lower = address.replace(/%../g, (code) => code.toLowerCase())
    for (const written of [text, address, lower]) expect(hideSecrets(`a ${written} b`, [secret])).toBe('a … b')
  }
})

it.each([
  ['a name that was cut', 'no field `correct-ho…`', 'no field `…`'],
  ['a quoted name without a sign of its cut', 'no field `correct-horse-b`', 'no field `…`'],
  ['a message that ends', 'it answered 500 Correct', 'it answered 500 Correct'],
  ['a message that ends in it', 'it answered 500 correct-hor', 'it answered 500 …'],
  ['a host', '`correct-horse-battery.test` could not be reached', '`….test` could not be reached'],
  ['words that begin alike', 'the `correct` one is correctly written', 'the `correct` one is correctly written'],
])('nothing is left of a secret in %s', (_, message, hidden) => {
  expect(hideSecrets(message, ['correct-horse-battery'])).toBe(hidden)
})

it.each([
  ['Correct-Horse', 'no host `https://correct-horse.test/`'],
  ['geheimnis-für-alle', `no host \`${new URL('https://geheimnis-für-alle.test/').href}\``],
])('nothing is left of %s in a host', (secret, message) => {
  expect(hideSecrets(message, [secret])).toBe('no host `https://….test/`')
})
