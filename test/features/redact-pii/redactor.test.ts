import { describe, expect, it } from 'vitest'
import { type RedactionSlice, Redactor } from '../../../src/features/redact-pii/redactor.js'
import { entities } from '../../../src/features/redact-pii/rules/found-value.js'

const open = (slice: Partial<RedactionSlice> = {}, note?: ReturnType<Redactor['note']>) =>
  new Redactor({ mode: 'fast', entities, replaceStyle: 'tag', ...slice }, note)

describe('a redactor', () => {
  it('gives a value one placeholder, however it is written', () => {
    const redactor = open()
    expect(
      redactor.rewrite({
        text: 'Jo@Example.com, Tel. +49 (0)30 1234567',
        more: ['mailto:jo%40example.com', 'tel:+49301234567', 'li@example.com'],
      }),
    ).toEqual({ text: '[EMAIL_1], Tel. [PHONE_1]', more: ['mailto:[EMAIL_1]', 'tel:[PHONE_1]', '[EMAIL_2]'] })
    expect(redactor.audit()).toEqual({ mode: 'fast', counts: { EMAIL: 2, PHONE: 1 }, names: false })
  })

  it('writes asterisks, or nothing', () => {
    expect(open({ replaceStyle: 'mask' }).rewrite('Mail a@example.com now')).toBe('Mail **** now')
    expect(open({ replaceStyle: 'remove' }).rewrite('Mail a@example.com now')).toBe('Mail  now')
  })

  it('goes on where another one ended', () => {
    const first = open()
    first.rewrite('a@example.com')
    const second = open({}, structuredClone(first.note()))
    expect(second.rewrite('b@example.com, a@example.com')).toBe('[EMAIL_2], [EMAIL_1]')
  })

  it('changes nothing that it has changed before, and returns data without values as it is', () => {
    const redactor = open()
    const data = { list: [{ text: 'nothing here' }, 1, null, true], bytes: new Uint8Array(2) }
    expect(redactor.rewrite(data)).toBe(data)
    const once = redactor.rewrite('a@example.com, Tel. 030 1234567, DE89 3704 0044 0532 0130 00')
    expect(redactor.rewrite(once)).toBe(once)
  })

  it('redacts keys, and makes no prototype of one', () => {
    const data = JSON.parse('{"a@example.com":1,"__proto__":{"x":"b@example.com"}}') as object
    const redacted = open().rewrite(data)
    expect(JSON.stringify(redacted)).toBe('{"[EMAIL_1]":1,"__proto__":{"x":"[EMAIL_2]"}}')
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype)
  })

  it('leaves out what lies too deep to be read', () => {
    let data: unknown = 'a@example.com'
    for (let depth = 0; depth < 5000; depth += 1) data = [data]
    expect(JSON.stringify(open().rewrite(data))).not.toContain('example.com')
  })

  it('redacts names as a reader reads them, with tags and references in them', () => {
    const redactor = open({ mode: 'accurate' })
    redactor.addNamed([
      ['Anna Berg', 'PERSON'],
      ["Pat O'Brien", 'PERSON'],
    ])
    const rewritten = redactor.rewrite('<p>Anna <b>Berg</b>, Anna&nbsp;Berg, Pat O&#39;Brien</p>')
    expect(rewritten).not.toMatch(/Anna|Berg|Brien/)
    expect(rewritten.match(/\[PERSON_\d\]/g)).toEqual(['[PERSON_1]', '[PERSON_1]', '[PERSON_2]'])
  })

  it('keeps data under keys that are redacted alike, and knows fields of its own at their place alone', () => {
    expect(open({ replaceStyle: 'mask' }).rewrite({ 'a@x.com': 1, 'b@x.com': 2 })).toEqual({ '****': 1, '**** 3': 2 })
    const own = { metadata: { sourceURL: 'https://x.test/?m=a@x.com' }, json: { sourceURL: 'a@x.com' } }
    expect(open().rewrite(own)).toEqual({ ...own, json: { sourceURL: '[EMAIL_1]' } })
  })

  it('redacts names as they stand in URLs, with one placeholder', () => {
    const redactor = open({ mode: 'accurate' })
    redactor.addNamed([
      ['Anna Berg', 'PERSON'],
      ['Jürgen Müller', 'PERSON'],
      ['Main Street 5', 'LOCATION'],
    ])
    const texts = [
      'https://a.test/x#:~:text=Anna%20Berg%20leads',
      'https://a.test/?q=Anna+Berg',
      'https://a.test/anna-berg',
      'https://a.test/J%C3%BCrgen_M%C3%BCller',
      'Main%20Street%205',
    ]
    expect(redactor.rewrite(texts)).toEqual([
      'https://a.test/x#:~:text=[PERSON_1]%20leads',
      'https://a.test/?q=[PERSON_1]',
      'https://a.test/[PERSON_1]',
      'https://a.test/[PERSON_2]',
      '[LOCATION_1]',
    ])
    expect(redactor.rewrite('Annabell Bergmann, hanna-berger')).toBe('Annabell Bergmann, hanna-berger')
  })

  it('redacts names that it is given wherever they stand, and no part of a word', () => {
    const redactor = open({ mode: 'accurate' })
    redactor.addNamed([
      ['Anna Berg', 'PERSON'],
      ['Anna', 'PERSON'],
      ['C++ (x)', 'LOCATION'],
    ])
    expect(redactor.rewrite('Anna  Berg, Anna and Annabell at C++ (x).')).toBe(
      '[PERSON_1], [PERSON_2] and Annabell at [LOCATION_1].',
    )
    expect(redactor.audit().names).toBe(true)
  })

  it('takes time that is linear in a hostile text', { timeout: 60_000 }, () => {
    for (const part of [
      '1',
      '1 ',
      '+1(',
      '@',
      'a@b.co ',
      'a@a.',
      '<b>',
      '&#64;',
      'AB12',
      'Tel. ',
      '|1',
      '12345 ',
      'eyJ',
      'a.',
    ])
      expect(typeof open().rewrite(part.repeat(200_000 / part.length))).toBe('string')
  })
})
