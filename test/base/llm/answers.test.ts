import { describe, expect, it } from 'vitest'
import { openForm, wireForm } from '../../../src/base/json-schema/answer-form.js'
import { fitAnswer } from '../../../src/base/json-schema/fit-answer.js'
import { dropInvalidValues } from '../../../src/base/json-schema/drop-invalid-values.js'
import { mergeAnswers } from '../../../src/base/json-schema/merge-answers.js'
import { packParts } from '../../../src/base/llm/answers/page-text.js'
import { readJson } from '../../../src/base/llm/answers/read-json.js'

describe('readJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['Sure!\n```\n{"a":"}"}\n```\nDone.', { a: '}' }],
    ['The object is {"a":{"b":[1,2,],},} and so on {', { a: { b: [1, 2] } }],
    ['{"a":"x, }","b":1} trailing', { a: 'x, }', b: 1 }],
    ['According to [1] and [see above], {a, b} is {"a":{"b":1}}', { a: { b: 1 } }],
    ['```python\nprint()\n```\n{"a":1}.', { a: 1 }],
    ['{\n// a comment\n"a": "http://x", /* another */ b: 1,}', { a: 'http://x', b: 1 }],
    ["{'a': 'Ann\\'s', 'b': None, 'c': True}", { a: "Ann's", b: null, c: true }],
    ['{"a":"x\ny", "b":"the "blue" one"\n"c":"\\d\\u00e9"}', { a: 'x\ny', b: 'the "blue" one', c: '\\dé' }],
    ['{"a":NaN,"b":-Infinity,"c":+.5}', { a: null, b: null, c: 0.5 }],
    ['{"a":1e999}', { a: null }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{a:1,"__proto__":{"b":1}}', { a: 1 }],
  ])('finds the JSON in %j', (text, value) => expect(readJson(text)).toEqual({ value }))

  it.each([
    ['{"a":1,"b":"tru', { a: 1 }],
    ['{"list":[{"n":1},{"n":2},{"n"', { list: [{ n: 1 }, { n: 2 }] }],
    ['{"a":{"b":1,"c":{"d":2', { a: { b: 1 } }],
    ['As [1] says: {"a":"whole","b":["x"', { a: 'whole', b: ['x'] }],
  ])('closes the truncated %j after its last complete value', (text, value) =>
    expect(readJson(text)).toEqual({ value, isCut: true }),
  )

  it.each(['', 'no', '42', '"text"', '{', '{"a', '<think>A draft: {"a":1,"b":2,'])('finds no JSON in %j', (text) =>
    expect(readJson(text)).toBeUndefined(),
  )

  it.each([
    ['Maybe {"name":"Wrong"}? No.</think>{"name":"Deck Lamp"}', { name: 'Deck Lamp' }],
    ['<think>{"name":"Wrong"}</think>\n{"name":"Deck Lamp"}', { name: 'Deck Lamp' }],
    ['{"text":"</think>{\\"name\\":1}"}', { text: '</think>{"name":1}' }],
  ])('skips the reasoning of the model in %j', (text, value) => expect(readJson(text)).toEqual({ value }))

  it('parses hostile answers in bounded time and depth', () => {
    expect(readJson('['.repeat(100_000))).toBeUndefined()
    expect(readJson(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`)).toBeUndefined()
    expect(readJson(`{"a":"${'\\\\'.repeat(900_000)}`)).toBeUndefined()
    expect(readJson(`${'<think>'.repeat(20_000)}{"a":1}`)).toEqual({ value: { a: 1 } })
    expect(readJson('{"a":'.repeat(100_000))).toBeUndefined()
    expect(readJson('{/*'.repeat(100_000))).toBeUndefined()
    expect(readJson('[x '.repeat(300_000))).toBeUndefined()
  })
})

describe('fitAnswer', () => {
  const fit = (value: unknown, schema: object) => fitAnswer(value, schema as Record<string, unknown>).value

  it('corrects values with only one possible reading', () => {
    expect(fit('3', { type: 'integer' })).toBe(3)
    expect(fit('three', { type: 'integer' })).toBe('three')
    expect(fit(3, { type: 'string' })).toBe('3')
    expect(fit('TRUE', { type: 'boolean' })).toBe(true)
    expect(fit('a', { type: 'array', items: { type: 'string' } })).toEqual(['a'])
    expect(fit(['a'], { type: 'string' })).toBe('a')
    expect(fit('In Stock', { enum: ['in_stock', 'sold_out'] })).toBe('in_stock')
    expect(fit(' a ', { type: 'string' })).toBe('a')
    expect(fit('', { type: 'number' })).toBeUndefined()
  })

  it.each([
    ['C#', ['C++', 'Java']],
    [1, [-1, 0]],
    ['1.5', [15, 25]],
    ['*', ['+', '-']],
    ['10-20', ['1020']],
    [{ a: 2 }, [{ a: 1 }]],
  ])('takes %j for none of the options %j', (value, options) => expect(fit(value, { enum: options })).toEqual(value))

  it.each([
    ['c++', ['C', 'C++'], 'C++'],
    ['-1', [-1, 1], -1],
    ['50 %', ['50', '50%'], '50%'],
    ['✓ in-stock', ['In Stock'], 'In Stock'],
  ])('takes %j of the options %j for %j', (value, options, option) =>
    expect(fit(value, { enum: options })).toBe(option),
  )

  it('drops null where the schema forbids it, and keeps it where the schema allows it', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: ['string', 'null'] },
        c: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
    }
    const { value, unanswered } = fitAnswer({ a: null, b: null, c: null }, schema)
    expect(value).toEqual({ b: null, c: null })
    expect([...unanswered]).toEqual(['/a'])
  })

  it('fills in defaults, and drops unknown properties of a closed schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'x' } }, additionalProperties: false }
    expect(fit({ b: 1 }, schema)).toEqual({ a: 'x' })
    expect(fit({ b: 1 }, { ...schema, additionalProperties: true })).toEqual({ a: 'x', b: 1 })
  })

  it('fits the parts of `allOf`, the alternative that a constant names, tuples, and values of unnamed properties', () => {
    const price = { type: 'object', properties: { amount: { type: 'number' }, unit: { type: 'string' } } }
    expect(fit({ amount: '3', unit: null }, { allOf: [price], description: 'a price' })).toEqual({ amount: 3 })
    const kind = (name: string, own: object) => ({ type: 'object', properties: { kind: { const: name }, n: own } })
    const either = { oneOf: [kind('a', { type: 'number' }), kind('b', { type: 'string' })] }
    expect(fit({ kind: 'a', n: '4' }, either)).toEqual({ kind: 'a', n: 4 })
    expect(fit({ n: '4', x: 1 }, { ...price, anyOf: [{ required: ['n'] }, {}], additionalProperties: false })).toEqual(
      {},
    )
    expect(fit({ a: '1', b: null }, { type: 'object', additionalProperties: { type: 'number' } })).toEqual({ a: 1 })
    expect(fit(['1', 2], { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] })).toEqual([1, '2'])
    expect(fit(null, { type: 'string', nullable: true })).toBeNull()
  })

  it('ends with a schema whose parts refer to each other many times', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = at === 59 ? { type: 'number' } : { $ref: `#/$defs/d${at + 1}` }
        return [`d${at}`, { allOf: [next, next] }]
      }),
    )
    expect(fit('x', { $ref: '#/$defs/d0', $defs })).toBe('x')
  })

  it('follows references, including recursive ones', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#/$defs/node' } } } },
    }
    expect(fit({ n: '1', next: { n: '2', next: null } }, schema)).toEqual({ n: 1, next: { n: 2 } })
    expect(fit({ n: 1 }, { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } })).toEqual({ n: 1 })
  })
})

describe('the check of an answer', () => {
  const form = openForm({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      items: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
      'a/b': { type: 'number' },
    },
    required: ['name'],
  })

  it('reports the places that break the schema, and missing values', async () => {
    const { issues } = await form.check({ items: [{ n: 1 }, { n: 'x' }, {}], 'a/b': 'x' })
    expect(issues.map(({ path, isMissing }) => [path, isMissing === true])).toEqual([
      ['/name', true],
      ['/items/1/n', false],
      ['/items/2/n', true],
      ['/a~1b', false],
    ])
  })

  it('keeps the valid part of an answer', async () => {
    const { value, issues } = await dropInvalidValues({ name: 'x', items: [{ n: 1 }, { n: 'x' }, 7], 'a/b': 'x' }, form)
    expect(value).toEqual({ items: [{ n: 1 }, {}] })
    expect(issues.every(({ isMissing }) => isMissing)).toBe(true)
  })

  it('keeps the valid part of an answer with thousands of faults', async () => {
    const list = openForm({ type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } })
    const many = { ...list, check: async (value: unknown) => ({ value, issues: faults }) }
    let faults = Array.from({ length: 50_000 }, (_, at) => ({ path: `/a/${at}`, message: 'no number' }))
    const dropped = dropInvalidValues({ a: Array.from({ length: 50_001 }, (_, at) => at) }, many)
    faults = []
    expect((await dropped).value).toEqual({ a: [50_000] })
  })

  it('takes null where OpenAPI allows it', async () => {
    expect((await openForm({ type: 'string', nullable: true }).check(null)).issues).toEqual([])
  })

  it('reports a schema that throws', async () => {
    const throwing = { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('boom')) } as const
    expect((await openForm(() => ({ '~standard': throwing })).check('x')).issues).toEqual([
      { path: '', message: 'the schema failed: boom' },
    ])
  })

  it('takes infinity for no number, because JSON has none', async () => {
    expect((await openForm({ type: 'number' }).check(Number.POSITIVE_INFINITY)).issues).toHaveLength(1)
  })

  it('treats a bare map of properties as an object schema', async () => {
    const bare = openForm({ price: { type: 'number' }, title: { type: 'string' } })
    expect(bare.schema).toMatchObject({ type: 'object', properties: { price: { type: 'number' } } })
    expect((await bare.check({ price: 'x' })).issues).toHaveLength(1)
  })

  it('reports a schema that cannot be used', async () => {
    const broken = openForm({ type: 'object', properties: { a: { enum: 5 } } })
    expect((await broken.check({ a: 1 })).issues[0]?.message).toContain('the schema cannot be used')
  })

  it('does not modify the caller’s schema', async () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({}) })
    await openForm(schema).check({})
    expect(Object.keys(schema)).toEqual(['type', 'properties'])
  })
})

describe('wireForm', () => {
  it('wraps a schema so that its root is an object and its references stay valid', () => {
    const list = wireForm({
      type: 'array',
      items: { $ref: '#/$defs/a' },
      $defs: { a: { type: 'object', properties: { all: { $ref: '#' } } } },
    })
    expect(list.schema).toEqual({
      type: 'object',
      properties: { items: { type: 'array', items: { $ref: '#/$defs/a' } } },
      required: ['items'],
      $defs: { a: { type: 'object', properties: { all: { $ref: '#/properties/items' } } } },
    })
    expect(list.unwrap({ items: [1] })).toEqual([1])
    expect(list.unwrap([1])).toEqual([1])
    expect(wireForm({ type: 'string' }).unwrap({ value: 'a' })).toBe('a')
    expect(wireForm({ type: 'object' }).unwrap({ value: 'a' })).toEqual({ value: 'a' })
  })
})

describe('mergeAnswers', () => {
  it('keeps each item once, and the first of two conflicting values', () => {
    const first = { title: 'A', note: null, items: [{ name: 'x', price: 1 }, { name: 'y' }] }
    const second = { title: 'B', note: 'n', items: [{ name: 'y', price: 2 }, { name: 'x', price: 3 }, 'z'] }
    expect(mergeAnswers(first, second)).toEqual({
      title: 'A',
      note: 'n',
      items: [{ name: 'x', price: 1 }, { name: 'y', price: 2 }, { name: 'x', price: 3 }, 'z'],
    })
    expect(mergeAnswers([{ id: 1, a: 1 }], [{ id: 1, a: 2, b: 3 }])).toEqual([{ id: 1, a: 1, b: 3 }])
    expect(mergeAnswers(undefined, 'a')).toBe('a')
  })
})

describe('packParts', () => {
  it('fills parts in order, up to the maximum of tokens, without duplicates', () => {
    const chunks = [30, 30, 50, 120, 10].map((tokens, index) => ({ path: [], markdown: `${index}`, tokens }))
    expect(packParts(chunks, 100).map(({ text }) => text)).toEqual(['0\n\n1', '2', '3', '4'])
    expect(packParts([], 100)).toEqual([])
  })
})
