import { describe, expect, it } from 'vitest'
import { parseLooseJson } from '../../../src/base/text/parse-loose-json.js'

const whole = { '@type': 'Product', name: 'A // lamp, }', offers: [{ price: 5 }] }

describe('JSON of a script is read with', () => {
  it.each<[string, string]>([
    ['nothing wrong', JSON.stringify(whole)],
    ['a comma before each closing bracket', '{"@type":"Product","name":"A // lamp, }","offers":[{"price":5,},],}'],
    [
      'such a comma before a comment',
      '{"@type":"Product","name":"A // lamp, }","offers":[{"price":5, /* € */ } // end\n]}',
    ],
    ['comments', `/* data */ ${JSON.stringify(whole, null, 1).replace('"offers"', '// the price\n"offers"')}`],
    ['a comment in HTML', `<!-- ${JSON.stringify(whole)} -->`],
    ['a CDATA section', `//<![CDATA[\n${JSON.stringify(whole)}\n//]]>`],
    ['a CDATA section in a comment', `/*<![CDATA[*/${JSON.stringify(whole)}/*]]>*/`],
    ['a CDATA section without its bracket', `<!CDATA[${JSON.stringify(whole)}]]>`],
    ['a semicolon at the end', `${JSON.stringify(whole)};\n`],
    ['a comma at the end', `${JSON.stringify(whole)},`],
    ['a byte order mark and no-break spaces', `\uFEFF${JSON.stringify(whole, null, '\u00A0')}`],
    ['a wrong escape', JSON.stringify(whole).replace('lamp', String.raw`l\amp`)],
    ['line breaks in a string', JSON.stringify(whole).replace(' lamp', '\n\tlamp')],
  ])('%s', (_, text) => expect(parseLooseJson(text)).toEqual(whole))

  it('nothing of a long text that is damaged, which no pattern could read, and all of one that is not', () => {
    const long = JSON.stringify({ a: 'x'.repeat(20_000_000) })
    expect(parseLooseJson(long)).toHaveProperty('a')
    expect(parseLooseJson(`${long};`)).toBeUndefined()
  })

  it.each(['', 'x', '{"a":', '{"a":"b', String.raw`{"a":"\u12"}`, '{a:1}', '{"a":1}{"b":2}', '[1,,2]'])(
    'nothing of what it is not: %j',
    (text) => expect(parseLooseJson(text)).toBeUndefined(),
  )

  it.each<[string, string]>([
    ['an escaped quote', String.raw`{"a":"say \"hi\"",}`],
    ['an escaped backslash', String.raw`{"a":"C:\\",}`],
    ['a URL', '{"a":"https://example.com/a/*b*/",}'],
    ['a tag', '{"a":"<!-- x -->",}'],
  ])('strings as they are: %s', (_, text) => {
    expect(parseLooseJson(text)).toEqual(JSON.parse(text.replace(',}', '}')))
  })

  it.each(['"\\', '/*', '//', '<!--', ',', ' ', '"a",', '{"a":"\\\\'])('no end of %j', (part) => {
    expect(parseLooseJson(part.repeat(200_000))).toBeUndefined()
  })
})
