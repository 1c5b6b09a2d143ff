import { describe, expect, it } from 'vitest'
import { Redactor } from '../../../src/features/redact-pii/redactor.js'
import { entities, type FoundValue } from '../../../src/features/redact-pii/rules/found-value.js'
import { findValues } from '../../../src/features/redact-pii/rules/find-values.js'
import { makeLookAlike } from './look-alikes.js'
import { Dice } from './made-numbers.js'
import { makeText } from './made-values.js'

const all = new Set(entities)
const find = (text: string): FoundValue[] => findValues(text, { entities: all })
const redact = (text: string): string => new Redactor({ mode: 'fast', entities, replaceStyle: 'tag' }).rewrite(text)

describe('the rules', () => {
  it('find 97 of 100 made values whole, and 99 of 100 that they find are such', { timeout: 60_000 }, () => {
    const dice = new Dice(20_261)
    let [whole, wrong] = [0, 0]
    const missed: string[] = []
    for (let made = 0; made < 5000; made += 1) {
      const { text, value } = makeText(dice)
      const at = text.indexOf(value)
      const found = find(text)
      const own = found.filter(({ start, end }) => start < at + value.length && end > at)
      const from = Math.min(...own.map(({ start }) => start))
      const to = Math.max(...own.map(({ end }) => end))
      if (from <= at && to >= at + value.length) whole += 1
      else missed.push(text)
      wrong += found.length - own.length + (from < at || to > at + value.length ? 1 : 0)
    }
    expect(whole / 5000, missed.slice(0, 20).join('\n')).toBeGreaterThanOrEqual(0.97)
    expect(whole / (whole + wrong)).toBeGreaterThanOrEqual(0.99)
  })

  it('change none of 2,000 look-alikes', { timeout: 60_000 }, () => {
    const dice = new Dice(4711)
    const texts = Array.from({ length: 2000 }, (_, index) => makeLookAlike(dice, index))
    expect(texts.filter((text) => find(text).length > 0)).toEqual([])
  })

  it.each([
    ['info&#64;example.com', '[EMAIL_1]'],
    ['info&commat;example&period;com', '[EMAIL_1]'],
    ['Mail **info**@example.com', 'Mail **[EMAIL_1]**'],
    ['<b>info</b>@example.com', '<b>[EMAIL_1]</b>'],
    ['info<!-- no spam -->@example.com', '[EMAIL_1]'],
    [String.raw`{"m":"info\u0040example.com"}`, '{"m":"[EMAIL_1]"}'],
    [String.raw`john\_doe@example.com`, '[EMAIL_1]'],
    ['in\u{AD}fo@ex\u{200B}ample.com', '[EMAIL_1]'],
    ['<a href="/u?e=info%40example.com">x</a>', '<a href="/u?e=[EMAIL_1]">x</a>'],
    ['anna [at] example [dot] com', '[EMAIL_1]'],
    ['E-Mail:a.b@example.com,jo@example.com', 'E-Mail:[EMAIL_1],[EMAIL_2]'],
    ['Tel: \u{660}\u{663}\u{660} \u{661}\u{662}\u{663}\u{664}\u{665}\u{666}\u{667}', 'Tel: [PHONE_1]'],
    ['Tel. <b>+49</b> <i>30</i> 1234567', 'Tel. <b>[PHONE_1]</b><i></i>'],
    ['Tel. 030 1234567, 030 7654321 oder 0170 1234567', 'Tel. [PHONE_1], [PHONE_2] oder [PHONE_3]'],
    ['Tel. 030-12 34 56 78 - 2024-05-06 Termin', 'Tel. [PHONE_1] - 2024-05-06 Termin'],
    ['https://user:s3cret@example.com/x', 'https://[SECRET_1]@example.com/x'],
    ['https://example.com/?ip=203.0.113.9', 'https://example.com/?ip=[LOCATION_1]'],
    ['Lindenstraße 12\n10969 Berlin', '[LOCATION_1]'],
    ['Wohnhaft: 〒100-0001 東京都千代田区千代田1-1', 'Wohnhaft: [LOCATION_1]'],
  ])('read %j as a reader does', (text, redacted) => {
    expect(redact(text)).toBe(redacted)
  })

  it.each([
    'logo@2x.png and react@18.2.0',
    'git@github.com:owner/repo.git',
    'https://maps.example.com/@52.5,13.4,15z',
    'a::b, std::vector, ::1 and fe80::1',
    'http://203.0.113.9/index.html',
    '05 12 23 34 45',
    'iPhone 12 2023-2024',
    'Tel Aviv 1909 - 2009',
    'Code EAN | 5712809090049',
    `![](data:image/png;base64,${'+4930123456789/'.repeat(8)})`,
  ])('leave %j', (text) => {
    expect(redact(text)).toBe(text)
  })

  it('take the name of a field, and the header of a table, as the words before a number', () => {
    const redactor = new Redactor({ mode: 'fast', entities, replaceStyle: 'tag' })
    expect(redactor.rewrite({ telephone: '5550123', id: '5550123', faxNumber: 4_930_555_012 })).toEqual({
      telephone: '[PHONE_1]',
      id: '5550123',
      faxNumber: '[PHONE_2]',
    })
    expect(redact('| No | Phone |\n| - | --- |\n| 5550123 | 5550124 |\n| 5550125 | 5550126 |')).toBe(
      '| No | Phone |\n| - | --- |\n| 5550123 | [PHONE_1] |\n| 5550125 | [PHONE_2] |',
    )
  })

  it('take only the kinds that are asked for', () => {
    const text = 'a@example.com, Tel. 030 1234567'
    expect(findValues(text, { entities: new Set(['PHONE']) }).map(({ entity }) => entity)).toEqual(['PHONE'])
  })

  it('take what only looks like a value, if they may', () => {
    const text = 'Room 415 20 71 234'
    expect(find(text)).toEqual([])
    expect(findValues(text, { entities: all, isLoose: true })).toHaveLength(1)
  })
})
