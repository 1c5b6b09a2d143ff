import { expect, test } from 'vitest'
import { continueSeries } from '../../../src/features/list/data/continue-series.js'
import { learnSeries } from '../../../src/features/list/data/learn-series.js'

const BASE = 'http://lamps.test/'
const records = (from: number): { id: number; name: string }[] =>
  Array.from({ length: 10 }, (_, at) => ({ id: from + at, name: `Deck lamp ${from + at}` }))

function learn() {
  const items = [...records(0), ...records(10)].map(({ id, name }) => ({ title: name, url: `${BASE}lamp/${id}` }))
  const fields = [
    { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
    { name: 'url', type: 'url' as const, source: 'role' as const, share: 1 },
  ]
  const template = { container: 'ul', entry: 'li', columns: [], key: 'field url' }
  const answers = [0, 10].map((from) => ({
    url: `${BASE}api?offset=${from}`,
    headers: {},
    text: JSON.stringify({ items: records(from) }),
  }))
  const list = { items, keys: items.map(({ url }) => url), fields, template }
  const learnt = learnSeries({ url: BASE, answers, list })
  if (!learnt) throw new Error('the series was not learnt')
  return learnt.series
}

function read(items: readonly object[], maxBytes?: number) {
  const body = new TextEncoder().encode(JSON.stringify({ items }))
  const answer = continueSeries({ url: `${BASE}api?offset=20`, body, series: learn() }, maxBytes)
  return 'unread' in answer ? answer.unread : answer
}

const readRows = (items: readonly object[]) => {
  const answer = read(items)
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

test('an answer whose entries are withheld has another form than those before', () => {
  expect(readRows(records(20)).items).toHaveLength(10)
  expect(readRows(records(20).map(({ id, name }) => (id === 25 ? { id } : { id, name }))).items).toHaveLength(10)
  expect(read(records(20).map(({ id }) => ({ id, isLocked: true })))).toContain('another form')
})

test('an answer that is too large is not read, and says so', () => {
  expect(read(records(20), 100)).toBe(`The answer of ${BASE}api?offset=20 is larger than ${100 / 1024} KiB.`)
})

test('different entries with one key are two rows, and the same entry is one', () => {
  const [first = { id: 20, name: '' }, ...others] = records(20)
  const variant = { ...first, name: 'Deck lamp 20, red' }
  const rows = readRows([first, variant, first, ...others])
  expect(rows.keys.slice(0, 3)).toEqual([`${BASE}lamp/20`, `${BASE}lamp/20`, `${BASE}lamp/21`])
  expect(rows).toMatchObject({ unfit: 0, items: { length: 11 } })
})
