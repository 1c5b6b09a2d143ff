import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isValidUrlField, parseUrlField } from '../../../src/kernel/options/fields/url-field.js'

const problem = (value: string): string | undefined => {
  const read = parseUrlField(value)
  return 'problem' in read ? read.problem : undefined
}

describe('parseUrlField', () => {
  it('adds a scheme, and keeps the spelling of the caller', () => {
    expect(parseUrlField('https://Example.com/a?b=1&a=2#top')).toEqual({
      url: 'https://example.com/a?b=1&a=2#top',
      sourceURL: 'https://Example.com/a?b=1&a=2#top',
    })
    expect(parseUrlField('example.com/a')).toEqual({ url: 'http://example.com/a', sourceURL: 'example.com/a' })
    expect(parseUrlField('HTTP://example.com')).toEqual({ url: 'http://example.com/', sourceURL: 'HTTP://example.com' })
  })

  it('refuses a URL that is too long, with the limit', () => {
    const url = (characters: number): string => 'https://example.com/'.padEnd(characters, 'a')
    expect(problem(url(8000))).toBeUndefined()
    expect(problem(url(8001))).toMatch(/^"https:.{30,}" has 8001 characters, and at most 8000 are taken$/)
    expect(problem(url(800_000))).toContain('at most 8000')
  })

  it.each([
    'example.com:8080/a',
    'sub.example.co.uk',
    'https://bücher.example/ä?ö=ü',
    'https://пример.рф/путь',
    'https://例え.テスト',
    'http://printer.local',
    'http://intranet.lan/x',
    'http://vault.internal',
    'http://my_bucket.example.com',
    'http://localhost',
    'localhost:3000/a.html',
    'http://127.0.0.1:8080/a',
    '10.0.0.1',
    '10.0.0.1:3000/@user',
    'http://2130706433/',
    'example.com/@user',
    'https://user@example.com/',
    '[::1]:3000',
    'http://[::1]:3000/',
    'http://1.2.3.4',
    'https://example.com/http://other.org/',
  ])('accepts %s', (value) => {
    expect(parseUrlField(value)).toMatchObject({ sourceURL: value })
  })

  it.each([
    ['', 'is not a URL'],
    ['3', 'is a number: write 0.0.0.3 if'],
    ['1.2', 'is a number: write 1.0.0.2 if'],
    ['127.1:3000/a', 'is a number'],
    ['0x7f.1', 'is a number'],
    ['010.0.0.1', 'is a number'],
    ['mailto:kim@example.com', 'is an e-mail address, not a page'],
    ['@3', 'is an e-mail address or the name of a user'],
    ['@example.com', 'is an e-mail address or the name of a user'],
    ['user@example.com', 'is an e-mail address or the name of a user'],
    ['user@host', 'is an e-mail address or the name of a user'],
    ['http://', 'is not a URL'],
    ['https://exa mple.com', 'is not a URL'],
    ['nope', 'has no public host name'],
    ['http://intranet/', 'has no public host name'],
    ['http://intranet:8080/', 'has no public host name'],
    ['intranet:8080/a.html', 'has no public host name'],
    ['http://example.c', 'has no public host name'],
    ['http://example.c0m', 'has no public host name'],
    ['http://example.com./', 'has an empty part in its host name'],
    ['http://.example.com/', 'has an empty part in its host name'],
    ['http://example..com/', 'has an empty part in its host name'],
    ['image_0001.jpg', 'is the name of a file'],
    ['https://report.pdf', 'is the name of a file'],
    ['http://http://example.com', 'has two protocols'],
    ['http://https://example.com', 'has two protocols'],
    ['http://http://localhost', 'has two protocols'],
    ['ftp://example.com/a', 'has the protocol ftp:'],
    ['file:///etc/passwd', 'has the protocol file:'],
    [' https://example.com', 'has white space at an end'],
    ['https://example.com\n', 'has white space at an end'],
    ['https://user:secret@example.com', 'has a password'],
    ['https://user:secret@localhost', 'has a password'],
  ])('refuses %j: it %s', (value, reason) => {
    expect(problem(value)).toContain(reason)
    expect(problem(value)).not.toContain('secret')
  })

  it('returns a URL or a problem for any string', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.domain()), (value) => {
        const read = parseUrlField(value)
        expect(isValidUrlField(value)).toBe(!('problem' in read))
        if ('problem' in read) expect(read.problem).not.toBe('')
        else expect(new URL(read.url).protocol).toMatch(/^https?:$/)
      }),
    )
  })
})

describe('isValidUrlField', () => {
  it.each([
    'https://example.com/a?b=c#d',
    'http://example.com:8080',
    'http://example.com:80800/',
    'http://example.com:/',
    'https://sub.example.co.uk/ä%zz',
    'https://example.com/ ',
    'https://example.com/a\tb',
    'https://photo.jpg/',
    'https://xn--a.com/',
    'https://xn--bcher-kva.example/',
    'https://-a.example.com/',
    'https://a..example.com/',
    'http://https://example.com',
    'https://1.2.3.com/',
    'https://1.2.3.999/',
    'https://0x7f.example/',
    `https://${'a'.repeat(64)}.com/`,
    `https://${'a.'.repeat(120)}com/`,
    'https://example.com\\a',
    'https://user:secret@example.com/',
  ])('agrees with the parser about %j', (value) => expect(isValidUrlField(value)).toBe(problem(value) === undefined))
})
