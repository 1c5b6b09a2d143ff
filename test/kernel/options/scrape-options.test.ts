import { describe, expect, it } from 'vitest'
import { InvalidRequestError } from '../../../src/base/errors.js'
import { checkResume, checkScrape, checkScrapeOptions } from '../../../src/kernel/options/check.js'
import { issuesOf } from './issues-of.js'

const issues = (options: unknown) => issuesOf(() => checkScrapeOptions(options))

describe('scrape options', () => {
  it('are returned unchanged, without defaults', () => {
    const options = {
      formats: ['markdown', { type: 'links' }],
      onlyMainContent: false,
      includeTags: ['main > p', '*post*'],
      excludeTags: ['.ad, iframe'],
      maxAge: 0,
      minAge: 1,
      headers: { Cookie: 'a=b', 'X-Name': 'ü' },
      timeout: 300_000,
      skipTlsVerification: true,
      removeBase64Images: true,
      blockAds: false,
      proxy: 'auto',
      storeInCache: true,
      fastMode: true,
    }
    expect(checkScrapeOptions(options)).toEqual(options)
    expect(checkScrapeOptions()).toEqual({})
  })

  it('are copied, so that the caller cannot change them later', () => {
    const options = { includeTags: ['main'], headers: { a: 'b' } }
    const checked = checkScrapeOptions(options)
    options.includeTags.push('nav')
    options.headers.a = 'c'
    expect(checked).toEqual({ includeTags: ['main'], headers: { a: 'b' } })
  })

  it('may have fields that are undefined', () => {
    expect(issues({ timeout: undefined, formats: undefined, headers: undefined })).toEqual({})
  })

  it('are refused with every problem at once: its path, the value and what is allowed', () => {
    const seen = issues({
      timeout: 500,
      waitFor: '5',
      maxAge: -1,
      minAge: 1.5,
      mobile: 'yes',
      includeTags: 'main',
      proxy: 'premium',
      location: { country: 'Germany', languages: 'de' },
      profile: { name: '' },
    })
    expect(seen).toEqual({
      timeout: '500 is out of range: 1000 to 300000 milliseconds',
      waitFor: '"5" is not a number: 0 to 60000 milliseconds',
      maxAge: '-1 is out of range: at least 0 milliseconds',
      minAge: '1.5 is not a whole number: at least 0 milliseconds',
      mobile: '"yes" is not true or false',
      includeTags: '"main" is not a list, such as ["main"]',
      proxy: '"premium" is not known: one of basic, enhanced, stealth, auto',
      'location.country': '"Germany" is not a country: a code of two letters such as `DE`',
      'location.languages': '"de" is not a list, such as ["de"]',
      'profile.name': 'empty: 1 to 128 characters',
    })
  })

  it.each([
    [999, false],
    [1000, true],
    [300_000, true],
    [300_001, false],
    [Number.NaN, false],
    [Infinity, false],
    [null, false],
  ])('have a timeout of %s: %s', (timeout, allowed) => {
    expect(Object.keys(issues({ timeout }))).toEqual(allowed ? [] : ['timeout'])
  })

  it('are refused with the name of an unknown option, and a similar one', () => {
    expect(issues({ onlyMainContnet: true, foo: 1 })).toEqual({
      '': 'unknown option "onlyMainContnet", did you mean `onlyMainContent`?; unknown option "foo"',
    })
  })

  it('must be an object', () => {
    for (const options of [null, 5, 'x', [], true, () => 1]) expect(Object.keys(issues(options))).toEqual([''])
  })

  it('are not changed by a key that would reach the prototype', () => {
    expect(issues(JSON.parse('{"__proto__":{"timeout":1}}'))).toEqual({ '': 'unknown option "__proto__"' })
    expect(issues({ constructor: 1 })).toEqual({ '': 'unknown option "constructor"' })
    const checked = checkScrapeOptions(JSON.parse('{"headers":{"__proto__":"x","a":"b"}}'))
    expect(Object.getPrototypeOf(checked.headers)).toBe(Object.prototype)
    expect(checked.headers).toEqual({ a: 'b' })
  })

  it('are refused with the names of ten unknown options at most', () => {
    const { '': message } = issues(new Uint8Array(100_000))
    expect(message).toMatch(/^unknown option "0"; .*; unknown option "9"; and 99990 more$/)
  })

  it('refuses selectors that end in a combinator, which would match nothing, and no others', () => {
    const loose = ['main >', 'a, b > ', 'p:not(a +)', 'li ~, p', 'a[x=">"] >']
    expect(Object.keys(issues({ includeTags: loose }))).toEqual(loose.map((_, index) => `includeTags.${index}`))
    expect(issues({ includeTags: ['main >'] })['includeTags.0']).toBe(
      '"main >" is not a CSS selector: `>` has no element after it',
    )
    const whole = [
      'main > p',
      'a[x=">"]',
      'a[x=">,"]',
      'li:nth-child(2n+1)',
      'a\\>',
      'h1 ~ p',
      ':has(> img)',
      'p:contains(>)',
    ]
    expect(issues({ includeTags: whole, excludeTags: whole })).toEqual({})
  })

  it('are refused if a selector is invalid', () => {
    const includeTags = ['a[', 'main', 'p:blank', '']
    const excludeTags = ['*side*', 'div,', 'a::before', 'iframe']
    const bad = issues({ includeTags, excludeTags })
    expect(Object.keys(bad)).toEqual([
      'includeTags.0',
      'includeTags.2',
      'includeTags.3',
      'excludeTags.1',
      'excludeTags.2',
    ])
    expect(bad['includeTags.2']).toBe('"p:blank" is not a CSS selector: Unknown pseudo-class :blank')
  })

  it('are refused if a header value has a line break, without showing the value', () => {
    const refused = issues({ headers: { 'Bad Name': 'x', Cookie: 'secret\r\nX: y', Token: 5 } })
    expect(Object.keys(refused)).toEqual(['headers.Bad Name', 'headers.Cookie', 'headers.Token'])
    expect(JSON.stringify(refused)).not.toContain('secret')
    expect(issues({ headers: 'Cookie: secret' })).toEqual({ headers: 'not an object of strings (not shown)' })
  })

  it('are refused if `waitFor` is more than half of a given `timeout`', () => {
    expect(issues({ waitFor: 10_000, timeout: 19_999 })).toEqual({
      waitFor: '10000 is more than half of `timeout`, which is 19999',
    })
    expect(() => checkScrapeOptions({ waitFor: 10_000, timeout: 20_000 })).not.toThrow()
    expect(() => checkScrapeOptions({ waitFor: 60_000 })).not.toThrow()
  })

  it('are checked by rules across fields also if another field is wrong', () => {
    expect(Object.keys(issues({ waitFor: 10_000, timeout: 1000, maxAge: 'x', bogus: 1 })).sort()).toEqual([
      '',
      'maxAge',
      'waitFor',
    ])
  })

  it('are refused for unknown parsers', () => {
    expect(issues({ parsers: ['pfd', { type: 'pdf', maxPages: 10_001 }, { type: 'doc' }, 5] })).toEqual({
      'parsers.0': '"pfd" is not known, did you mean `pdf`?: one of pdf, image',
      'parsers.1.maxPages': '10001 is out of range: 1 to 10000 pages',
      'parsers.2.type': '"doc" is not known: one of pdf, image',
      'parsers.3': '5 is not a name or an object',
    })
    expect(issues({ parsers: 'pdf' })).toEqual({ parsers: '"pdf" is not a list, such as ["pdf"]' })
  })
})

describe('actions', () => {
  const wait = (milliseconds: number) => ({ type: 'wait', milliseconds })

  it('of type `wait` have either a time or an element', () => {
    const message = 'exactly one of `milliseconds` and `selector` must be given'
    expect(issues({ actions: [{ type: 'wait' }, { type: 'wait', milliseconds: 1, selector: 'a' }] })).toEqual({
      'actions.0': message,
      'actions.1': message,
    })
  })

  it('wait at most 60 seconds together with `waitFor`, where an element counts as one second', () => {
    expect(() => checkScrapeOptions({ actions: [wait(60_000)], waitFor: 0 })).not.toThrow()
    expect(issues({ waitFor: 30_000, actions: [wait(29_001), { type: 'wait', selector: 'a' }] })).toEqual({
      actions: 'waits of 60001 milliseconds, `waitFor` included, are too long: at most 60000 together',
    })
  })

  it('are limited to 50, and have a known type with its fields', () => {
    expect(issues({ actions: Array.from({ length: 51 }, () => ({ type: 'scrape' })) })).toEqual({
      actions: '51 items are too many: at most 50',
    })
    expect(
      issues({
        actions: [
          { type: 'clik', selector: 'a' },
          { type: 'click' },
          { type: 'pdf', format: 'a4' },
          { type: 'press', key: 'Enter', x: 1 },
        ],
      }),
    ).toEqual({
      'actions.0.type':
        '"clik" is not known, did you mean `click`?: one of wait, click, screenshot, write, fill, submit, press, scroll, scrape, executeJavascript, pdf',
      'actions.1.selector': 'missing: at least 1 character',
      'actions.2.format':
        '"a4" is not known, did you mean `A4`?: one of A0, A1, A2, A3, A4, A5, A6, Letter, Legal, Tabloid, Ledger',
      'actions.3': 'unknown option "x": allowed are type, key',
    })
  })
})

describe('a URL and its options', () => {
  it('are checked together', () => {
    expect(issuesOf(() => checkScrape('nope', { timeout: 1 }))).toEqual({
      url: '"nope" has no public host name such as example.com',
      timeout: '1 is out of range: 1000 to 300000 milliseconds',
    })
    expect(issuesOf(() => checkScrape({ url: 'https://example.com' }))).toEqual({
      url: 'an object is not a string: the URL stands alone, and its options after it',
    })
    expect(issuesOf(() => checkResume('some-id'))).toEqual({
      '': '"some-id" is not an object: it resumes all jobs, and `engine.job(id)` gets one',
    })
    expect(checkScrape('example.com', { timeout: 1000 })).toEqual({ url: 'example.com', options: { timeout: 1000 } })
  })
})

describe('the InvalidRequestError', () => {
  it('has one message with all problems, each after its path', () => {
    expect(() => checkScrape('nope', { timeout: 1, headers: { 'a b': 'x' }, actions: [{ type: 'write' }] })).toThrow(
      new InvalidRequestError([
        { code: 'custom', path: ['url'], message: '"nope" has no public host name such as example.com' },
        {
          code: 'invalid_key',
          path: ['headers', 'a b'],
          message: 'not a header that can be given: the name is invalid, or trawl sets the header itself',
        },
        { code: 'too_small', path: ['timeout'], message: '1 is out of range: 1000 to 300000 milliseconds' },
        { code: 'invalid_type', path: ['actions', 0, 'text'], message: 'missing' },
      ]),
    )
    expect(() => checkScrapeOptions({ actions: [{ type: 'write' }] })).toThrow('Bad Request: actions[0].text: missing')
  })

  it('names the first twenty problems and counts the rest', () => {
    const formats = Array.from({ length: 30 }, () => 5)
    expect(() => checkScrapeOptions({ formats })).toThrow(/formats\[19\].*; and 10 more$/)
    expect(Object.keys(issues({ formats }))).toHaveLength(30)
  })
})

describe('the languages of a location', () => {
  it('are language tags', () => {
    expect(
      checkScrapeOptions({ location: { languages: ['de', 'pt-BR', 'zh-Hant-TW'] } }).location?.languages,
    ).toHaveLength(3)
    for (const language of ['', 'de_DE', 'en\r\nX-A: b', 'ü', 'x'.repeat(200)])
      expect(() => checkScrapeOptions({ location: { languages: [language] } })).toThrow(
        /^Bad Request: location\.languages\[0\]: ".*" is not a language/,
      )
  })
})

describe('fastMode', () => {
  it('is refused with options that need a browser', () => {
    expect(() => checkScrapeOptions({ fastMode: true, actions: [{ type: 'scrape' }] })).toThrow(
      'fastMode: leaves the browser out, which `actions` needs: they cannot be combined',
    )
    expect(() => checkScrapeOptions({ fastMode: true, expand: true })).toThrow(
      'fastMode: leaves the browser out, which `expand` needs',
    )
    expect(checkScrapeOptions({ fastMode: true, formats: ['markdown'] }).fastMode).toBe(true)
  })
})
