import { describe, expect, it } from 'vitest'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { readSiteIndex } from '../../../../src/features/goal/site-search/read-site-index.js'
import { ask, BASE, find } from './ask-index.js'

describe('an index of rustdoc', () => {
  const vars = (more: string): string => `<div id="rustdoc-vars" data-root-path="../../" ${more}></div>`
  const page = `${BASE}std/vec/struct.Vec.html`
  const index = { format: 'rustdoc', root: BASE, files: [`${BASE}search-index1.63.0.js`] }
  const parse = (value: unknown): string => JSON.stringify(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  /** The notation up to Rust 1.75, and that of newer versions. */
  const older = (value: unknown): string => `var searchIndex = JSON.parse('${parse(value)}');\nif (window) {}`
  const newer = (value: unknown): string => `var searchIndex = new Map(JSON.parse('${parse(value)}'));\nexports = {}`

  it.each([
    ['an element', vars('data-resource-suffix="1.63.0"'), index.files],
    ['the name of its file', vars('data-search-index-js="../../search-index-7.js"'), [`${BASE}search-index-7.js`]],
    [
      '`meta`',
      '<meta name="rustdoc-vars" data-root-path="../../" data-resource-suffix="-20240514-1.80.0-nightly-8387315ab">',
      [`${BASE}search-index-20240514-1.80.0-nightly-8387315ab.js`],
    ],
    ['no version', '<meta name="rustdoc-vars" data-root-path="../../">', [`${BASE}search-index.js`]],
  ])('is found by the settings of its scripts: %s', (_name, html, files) => {
    expect(find(html, page)).toEqual({ ...index, files })
  })

  it.each([
    ['an index of binary trees', vars('data-resource-suffix="" data-stringdex-js="stringdex-1a.js"')],
    ['a root on another host', '<meta name="rustdoc-vars" data-root-path="//other.example/">'],
    ['a version that is a path', vars('data-resource-suffix="/../../x?"')],
    ['no root', '<meta name="rustdoc-vars">'],
    ['settings of another name', '<meta name="other-vars" data-root-path="../../">'],
  ])('is not found with %s', (_name, html) => {
    expect(find(html, page)).toBeUndefined()
  })

  /** One item of each way to its page: its kind, name, module and parent. */
  const items = [
    ['mod', 'alpha', 'std', 0, 'std/alpha/index.html'],
    ['struct', 'Alpha', 'std::vec', 0, 'std/vec/struct.Alpha.html'],
    ['import', 'alpha', 'std::io', 0, 'std/io/index.html'],
    ['externcrate', 'alpha', 'std', 0, 'alpha/index.html'],
    ['primitive', 'alpha', 'std', 0, 'std/primitive.alpha.html'],
    ['keyword', 'alpha', 'std', 0, 'std/keyword.alpha.html'],
    ['macro', 'alpha', 'std', 0, 'std/macro.alpha.html'],
    ['method', 'alpha', 'std::vec', 1, 'std/vec/struct.Vec.html'],
    ['tymethod', 'alpha', 'std::io', 2, 'std/io/trait.Read.html'],
    ['method', 'alpha', 'std', 3, 'std/primitive.u8.html'],
    ['variant', 'Alpha', 'std::net', 4, 'std/net/enum.IpAddr.html'],
    ['structfield', 'alpha', 'std::err::Fault', 5, 'std/err/enum.Fault.html'],
  ] as const
  const parents = [
    ['struct', 'Vec'],
    ['trait', 'Read'],
    ['primitive', 'u8'],
    ['enum', 'IpAddr'],
    ['variant', 'Broken'],
  ] as const
  const numbers: Readonly<Record<string, readonly [old: number, since176: number]>> = {
    mod: [0, 2],
    externcrate: [1, 3],
    import: [2, 4],
    struct: [3, 5],
    enum: [4, 6],
    trait: [8, 10],
    tymethod: [10, 12],
    method: [11, 13],
    structfield: [12, 14],
    variant: [13, 15],
    macro: [14, 16],
    primitive: [15, 1],
    keyword: [21, 0],
  }
  const kindsOf = (rows: readonly (readonly [string, ...unknown[]])[], age: 0 | 1): number[] =>
    rows.map(([kind]) => numbers[kind]?.[age] ?? -1)
  const letters = (kinds: readonly number[]): string => kinds.map((kind) => String.fromCharCode(65 + kind)).join('')
  const columns = (age: 0 | 1) => ({
    doc: '',
    t: kindsOf(items, age),
    n: items.map(([, name]) => name),
    q: items.map(([, , path]) => path),
    d: items.map(() => ''),
    i: items.map(([, , , parent]) => parent),
    p: parents.map(([, name], at) => [kindsOf(parents, age)[at], name]),
  })
  const pairs = items.map(([, , path], at) => [at, path])

  it.each([
    ['Rust 1.63', older({ std: columns(0) })],
    ['Rust 1.72', older({ std: { ...columns(0), t: letters(kindsOf(items, 0)), q: pairs } })],
    ['Rust 1.76, with other numbers', older({ std: { ...columns(1), t: letters(kindsOf(items, 1)), q: pairs } })],
    ['Rust 1.77', newer([['std', { ...columns(1), t: letters(kindsOf(items, 1)), q: pairs }]])],
    [
      'Rust 1.80, with numbers in a text',
      newer([['std', { ...columns(1), t: letters(kindsOf(items, 1)), q: pairs, d: undefined, i: '```````bdfhj' }]]),
    ],
  ])('names the pages of all kinds of items in the notation of %s', (_version, script) => {
    const answer = ask('rustdoc', script, 'alpha')
    expect(new Set(answer)).toEqual(new Set(items.map(([, , , , path]) => path)))
  })

  it('has the pages of its crates only, of a hundred at most', () => {
    const folders = (crates: readonly string[]): readonly string[] | undefined => {
      const files = [{ url: BASE, body: new TextEncoder().encode(newer(crates.map((name) => [name, {}]))) }]
      const answer = readSiteIndex({ index, terms: readGoalTerms('alpha'), files })
      return typeof answer === 'string' ? undefined : answer.folders
    }
    expect(folders(['core', 'std', 'std'])).toEqual([`${BASE}core/`, `${BASE}std/`])
    expect(folders(['x'.repeat(999), 'a?b', 'a#b'])).toBeUndefined()
    expect(folders(Array.from({ length: 500 }, (_name, nth) => `crate${nth}`))).toHaveLength(100)
  })

  it('repeats the last path, the last name, and one of the last sixteen numbers', () => {
    const script = newer([
      [
        'std',
        {
          t: 'FNNNN',
          n: ['Vec', 'alpha', '', 'beta', 'alpha'],
          q: [
            [0, 'std::a'],
            [3, 'std::b'],
          ],
          i: '`b01d',
          p: [
            [5, 'One'],
            [5, 'Two'],
          ],
        },
      ],
    ])
    expect(ask('rustdoc', script, 'alpha')).toEqual(['std/a/struct.One.html', 'std/b/struct.Two.html'])
    // A method without a parent has no page.
    expect(ask('rustdoc', script, 'beta')).toEqual([])
    const old = { t: [3, 5, 5], n: ['A', 'alpha', 'beta'], q: ['std::a', '', 'std::b'], d: [], i: [0, 0, 0], p: [] }
    expect(ask('rustdoc', older({ std: old }), 'alpha beta')).toEqual(['std/a/fn.alpha.html', 'std/b/fn.beta.html'])
  })

  it('ranks pages by the names of their items, and by descriptions', () => {
    const std = {
      doc: "The Rust Standard Library, with 'quotes' \\ too",
      t: [3, 11, 3, 3],
      n: ['Vec', 'shrink_to_fit', 'String', 'Rc'],
      q: ['std::vec', '', 'std::string', 'std::rc'],
      d: ['A growable array', 'Shrinks the capacity of the vector', 'A growable text', ''],
      i: [0, 1, 0, 0],
      p: [[3, 'Vec']],
    }
    expect(ask('rustdoc', older({ std }), 'shrink a growable vector')).toEqual([
      'std/vec/struct.Vec.html',
      'std/string/struct.String.html',
    ])
    expect(ask('rustdoc', older({ std }), 'quotes')).toEqual(['std/index.html'])
  })

  it.each([
    ['no crates', older({})],
    ['crates that are none', older({ std: 7, core: null, alloc: [] })],
    ['pairs that are none', newer([7, null, [], ['std'], ['std', 7], { std: {} }])],
    ['columns of wrong types', older({ std: { doc: 7, t: {}, n: 'refund', q: 7, d: null, i: {}, p: 'x' } })],
    [
      'items of wrong types',
      older({
        std: {
          t: [3, 'x', null, 5.5, -1, 99],
          n: [7, {}, 'refund', 'refund', 'refund', 'refund'],
          q: [{}],
          i: ['x'],
          p: [7],
        },
      }),
    ],
    [
      'columns that are shorter than the names',
      older({ std: { t: [], n: ['refund', 'refund'], q: [], d: [], i: [], p: [] } }),
    ],
    [
      'letters that are no kinds',
      newer([['std', { t: '\u0000~é', n: ['refund', 'refund', 'refund'], q: [[0, 'std']], i: '', p: [] }]]),
    ],
    [
      'names that are too long',
      older({
        std: { t: [3, 3], n: ['refund'.repeat(999), 'refund'], q: ['std', 'refund::'.repeat(999)], i: [0, 0], p: [] },
      }),
    ],
    ['a prototype', '{"__proto__":{"doc":"refund"}}'],
    [
      'names of other hosts',
      older({ '//other.example': { doc: 'refund', t: [1], n: ['/other.example'], q: [''], i: [0], p: [] } }),
    ],
  ])('finds nothing in %s', (_name, script) => {
    const answer = ask('rustdoc', script, 'refund')
    expect(Array.isArray(answer) ? answer.filter((path) => !path.startsWith('/')) : answer).toEqual([])
  })

  it('is cut where it has many items, and a path is long', () => {
    const crate = {
      t: 'F'.repeat(50_000),
      n: Array.from({ length: 50_000 }, (_name, nth) => `refund_${nth}`),
      q: [
        [0, 'std'],
        [100, 'std::'.repeat(200_000)],
      ],
      i: 'o'.repeat(50_000),
      p: Array.from({ length: 50_000 }, () => [5, 'x'.repeat(20)]),
    }
    expect(ask('rustdoc', `new Map(JSON.parse('${JSON.stringify([['std', crate]])}'))`, 'refund')).toHaveLength(100)
    const pages = { ...crate, q: [[0, 'std']], i: '' }
    const found = ask('rustdoc', `new Map(JSON.parse('${JSON.stringify([['std', pages]])}'))`, 'refund')
    expect(found).toHaveLength(5000)
  })
})
