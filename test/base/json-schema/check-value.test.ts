import { Validator } from '@cfworker/json-schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openForm } from '../../../src/base/json-schema/answer-form.js'
import { SchemaChecker } from '../../../src/base/json-schema/check-value.js'
import { findSchemaFault } from '../../../src/base/json-schema/schema-faults.js'
import { compileSchemaPattern } from '../../../src/base/json-schema/schema-pattern.js'
import { hasFormat } from '../../../src/base/json-schema/text-formats.js'

type Schema = Record<string, unknown>

const check = (schema: Schema, value: unknown, steps = 1_000_000) => new SchemaChecker(schema).check(value, { steps })

const isValid = (schema: Schema, value: unknown): boolean => check(schema, value).length === 0

const names = fc.constantFrom('a', 'b', 'ab', '__proto__', 'constructor')
const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 'a', 'ab', '12', 'é', 0, 1, 2.5, -3, 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
)
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value

const schemas = fc.letrec((tie) => {
  const one = tie('schema')
  const some = fc.array(one, { minLength: 1, maxLength: 3 })
  const map = fc.array(fc.tuple(names, one), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
  const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null')
  const keywords = [
    fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
    fc.record({ enum: fc.array(values, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: values }),
    fc.record({ minimum: fc.integer({ min: -2, max: 3 }), exclusiveMaximum: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ multipleOf: fc.constantFrom(1, 0.5, 0.01, 3) }),
    fc.record({ minLength: fc.nat(2), maxLength: fc.nat(4) }),
    fc.record({ pattern: fc.constantFrom('^a', '\\d+', '^(?!ab)a?', '^(?=a)[ab]*$', '^$|b') }),
    fc.record({ properties: map, required: fc.uniqueArray(names, { maxLength: 2 }) }),
    fc.record({ properties: map, additionalProperties: one }),
    fc.record({ patternProperties: fc.record({ '^a': one, b: one }), additionalProperties: fc.constant(false) }),
    fc.record({ propertyNames: fc.record({ maxLength: fc.constant(1) }), minProperties: fc.nat(2) }),
    fc.record({ dependentRequired: fc.record({ a: fc.constant(['b']) }), maxProperties: fc.nat(3) }),
    fc.record({ dependentSchemas: fc.record({ a: one }) }),
    fc.record({ items: one, minItems: fc.nat(2) }),
    fc.record({ prefixItems: some, items: one, maxItems: fc.nat(4) }),
    fc.record({ contains: one, minContains: fc.nat(2) }),
    fc.record({ uniqueItems: fc.constant(true) }),
    fc.record({ allOf: some }),
    fc.record({ anyOf: some }),
    fc.record({ oneOf: some }),
    fc.record({ not: one }),
    fc
      .tuple(one, one, one)
      .map((parts) => Object.fromEntries(['if', 'then', 'else'].map((name, at) => [name, parts[at]]))),
    fc.record({ $ref: fc.constantFrom('#/$defs/s', '#/$defs/n', '#name') }),
  ]
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.array(fc.oneof(...keywords), { maxLength: 2 }).map((parts) => Object.assign({}, ...parts) as Schema),
    ),
  }
}).schema

const DEFS = { $defs: { s: { type: 'string' }, n: { minimum: 1, $anchor: 'name' } } }

describe('checking a value against a JSON Schema', () => {
  it('agrees with another validator on random schemas and values', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const whole = { ...(typeof schema === 'object' ? schema : { allOf: [schema] }), ...DEFS }
        expect(findSchemaFault(whole)).toBeUndefined()
        const expected = new Validator(structuredClone(whole), '2020-12', false).validate(value).valid
        expect({ whole, value, valid: isValid(whole, value) }).toEqual({ whole, value, valid: expected })
      }),
      { numRuns: 3000 },
    )
  })

  it('applies unevaluatedProperties and unevaluatedItems to everything that no other keyword evaluated', () => {
    const closed = {
      allOf: [{ properties: { a: { type: 'string' } } }],
      anyOf: [
        { properties: { b: { const: 1 } }, required: ['b'] },
        { properties: { c: true }, required: ['c'] },
      ],
      unevaluatedProperties: false,
    }
    expect(isValid(closed, { a: 'x', b: 1 })).toBe(true)
    expect(check(closed, { a: 'x', c: 1, d: 2 }).map(({ path }) => path)).toEqual(['/d'])
    expect(check({ prefixItems: [true], unevaluatedItems: { type: 'string' } }, [1, 'a', 2])).toMatchObject([
      { path: '/2' },
    ])
  })

  it('reads older drafts by their own rules', () => {
    const four = { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }
    expect([isValid(four, 1), isValid(four, 2)]).toEqual([false, true])
    const tuple = { items: [{ type: 'string' }], additionalItems: false }
    expect([isValid(tuple, ['a']), isValid(tuple, ['a', 1]), isValid(tuple, [1])]).toEqual([true, false, false])
    const lone = { $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#/definitions/a', type: 'number' }
    expect(isValid({ ...lone, definitions: { a: { type: 'string' } } }, 'a')).toBe(true)
    expect(isValid({ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, c: 1 })).toBe(false)
  })

  it('reports the actual and the expected value', () => {
    const schema = {
      properties: { n: { type: ['integer', 'null'] }, s: { pattern: '^a' } },
      additionalProperties: false,
    }
    expect(check(schema, { n: 'x', s: 'b', other: 1 })).toEqual([
      { path: '/n', message: 'a string instead of integer or null' },
      { path: '/s', message: 'does not match the pattern ^a' },
      { path: '/other', message: 'not allowed by the schema' },
    ])
  })
})

describe('formats of strings', () => {
  it.each([
    ['date', ['2024-02-29', '1999-12-31'], ['2023-02-29', '2024-13-01', '24-01-01', '2024-01-01T']],
    ['time', ['12:00:00Z', '23:59:60Z', '01:02:03.4+01:30'], ['24:00:00Z', '12:00:00', '12:00Z']],
    ['date-time', ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.1-05:00'], ['2024-01-01', '2024-01-01T25:00:00Z']],
    ['duration', ['P1D', 'PT1H30M', 'P3W', 'P1Y2M3DT4S'], ['P', 'PT', '1D', 'P1DT']],
    ['email', ['a.b@example.com', '"a b"@example.com', 'a@[127.0.0.1]'], ['a', '@b', '.a@b.c', 'a..b@c.d', 'a@-b.c']],
    ['hostname', ['example.com', 'a', 'xn--bcher-kva.example'], ['', '-a', 'a_b', `${'a'.repeat(64)}.com`]],
    ['ipv4', ['127.0.0.1'], ['256.0.0.1', '1.2.3']],
    ['ipv6', ['::1', 'fe80::1'], ['::1%eth0', '1::2::3']],
    ['uri', ['https://example.com/a?b#c', 'mailto:a@b.c', 'urn:x:y'], ['/a', 'https://a b', 'http://a/%zz']],
    ['uri-reference', ['/a', '../b?c', ''], ['a b', '%']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    ['regex', ['^a+$'], ['(']],
    ['json-pointer', ['', '/a/~0~1'], ['a', '/~2']],
    ['relative-json-pointer', ['0', '1/a', '2#'], ['-1', '01', '/a']],
    ['of-nobody', ['anything'], []],
  ])('validates the format %s', (format, good, bad) => {
    expect(good.filter((text) => !hasFormat(text, format))).toEqual([])
    expect(bad.filter((text) => hasFormat(text, format))).toEqual([])
  })
})

describe('patterns of a schema', () => {
  it('supports the syntax of ECMAScript, and look-ahead at the start', () => {
    expect(compileSchemaPattern('^\\u00e9(?<x>a)\\/[^]$').test('éa/!')).toBe(true)
    const mail = compileSchemaPattern(
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    )
    expect(['a.b@example.com', '.a@b.cc', 'a..b@c.dd', 'a@b'].map((text) => mail.test(text))).toEqual([
      true,
      false,
      false,
      false,
    ])
    const host = compileSchemaPattern('^(?=.{1,5}$)[a-z.]+$')
    expect([host.test('a.b'), host.test('abcdef')]).toEqual([true, false])
  })

  it.each(['(?<!a)b', 'a(?=b)', '^(?!a)b|c', '(a)\\1', '(', `a{1000}{1000}`, 'a'.repeat(2001)])(
    'refuses a pattern that cannot run in linear time: %.40s',
    (pattern) => expect(() => compileSchemaPattern(pattern)).toThrow(),
  )
})

describe('a hostile schema or value', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])

  it.each<[string, Schema, unknown]>([
    ['a pattern with nested repetition', { pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`],
    [
      'the well-known pattern of mail addresses',
      { pattern: '^([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+.)+([a-zA-Z0-9]{2,4})+$' },
      `a@${'a'.repeat(5000)}!`,
    ],
    [
      'names of properties',
      { patternProperties: { '^(a+)+$': true }, additionalProperties: false },
      { [`${'a'.repeat(50_000)}!`]: 1 },
    ],
    ['a format', { format: 'url' }, `http://${'a'.repeat(20_000)}!`],
    [
      'unique items',
      { uniqueItems: true },
      [...Array.from({ length: 20_000 }, (_, n) => ({ n, list: [n] })), { n: 1, list: [1] }],
    ],
    [
      'branches within branches',
      {
        $defs: {
          s: {
            anyOf: [
              { items: { $ref: '#/$defs/s' }, type: 'array' },
              { items: { $ref: '#/$defs/s' }, minItems: 2, type: 'array' },
            ],
          },
        },
        $ref: '#/$defs/s',
      },
      nested(150),
    ],
  ])('is checked in bounded time: %s', (_, schema, value) => {
    expect(findSchemaFault(schema)).toBeUndefined()
    expect(check(schema, value)).not.toEqual([])
  })

  it('ends with an issue at the limit of steps', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index)
    const schema = { items: { enum: list } }
    expect(check(schema, list)).toEqual([])
    expect(check(schema, list, 500)).toEqual([
      { path: '', message: 'the check of the answer exceeded its limit of steps' },
    ])
  })

  it('shares one budget of steps among all checks of a page', async () => {
    const form = openForm({ items: { type: 'integer' } })
    const list = Array.from({ length: 100_000 }, (_, index) => index)
    const results = [await form.check(list), await form.check(list), await form.check(list)]
    expect(results.map(({ issues }) => issues.length)).toEqual([0, 0, 1])
  })
})

describe('findSchemaFault', () => {
  it.each<[Schema, string]>([
    [
      { properties: { a: { type: 'nonsense' } } },
      '`/properties/a` has a `type` that is not a JSON type: "nonsense". Allowed: object,',
    ],
    [{ type: [] }, 'the schema has a `type` that is not a JSON type: []'],
    [{ properties: { a: 'string' } }, '`/properties/a` is not a schema: "string"'],
    [{ properties: [] }, 'has a `properties` that is not an object of schemas: []'],
    [{ required: true }, 'has a `required` that is not a list of property names: true'],
    [{ enum: 5 }, 'has a `enum` that is not a list: 5'],
    [{ anyOf: [] }, 'has a `anyOf` that is not a list of schemas: []'],
    [{ maxLength: '5' }, 'has a `maxLength` that is not a number: "5"'],
    [{ items: { pattern: '(?<=a)b' } }, '`/items` has a `pattern` that cannot be used, `(?<=a)b`: look-around'],
    [{ patternProperties: { '(': true } }, 'has a `pattern` that cannot be used, `(`: missing closing )'],
    [
      { properties: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, { pattern: `a{1000}${n}` }])) },
      'has patterns that are too large',
    ],
    [{ $ref: '#/$defs/none' }, 'refers to `#/$defs/none`, which is not in it'],
    [{ $ref: 'other.json' }, 'which is not fetched'],
    [{ $dynamicRef: '#a' }, 'has a `$dynamicRef`, which is not supported: use `$ref`'],
    [{ anyOf: [{ $ref: '#' }, { type: 'null' }] }, 'refers to itself without a property or an item in between'],
  ])('reports the fault of %j', (schema, fault) => expect(findSchemaFault(schema)).toContain(fault))

  it('accepts recursion through properties, and two references to one schema', () => {
    expect(findSchemaFault({ properties: { a: { $ref: '#' } }, items: { anyOf: [{ $ref: '#' }] } })).toBeUndefined()
    const twice = { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }
    expect(findSchemaFault(twice)).toBeUndefined()
    expect(findSchemaFault({ properties: { type: { type: 'string' } }, default: { type: 'nonsense' } })).toBeUndefined()
  })
})
