import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../../../src/features/json/extractor/apply-rule.js'
import { findElements, WorkBudget } from '../../../src/features/json/extractor/find-elements.js'
import { readSelector } from '../../../src/features/json/extractor/selector.js'
import type { ParentNode } from '../../../src/content/html/tree.js'
import { parseHtml } from '../../content/parse/pages.js'

const rootOf = (html: string): ParentNode => {
  const [root] = parseHtml(html).tree.$.root()
  if (!root) throw new Error('no tree')
  return root
}

const apply = (html: string, rule: unknown) => applyRule(rootOf(html), 'https://shop.test/a/', rule)

describe('a selector', () => {
  const html = `<div id="a" class="box x"><p class="x">1</p><ul class="list"><li>2</li><li class="x y">3</li><li data-n="4">4</li></ul></div>
    <div class="box"><div class="x"><p>5</p><p class="y">6</p></div><ul><li>7</li></ul></div>`

  it('a selector matches the elements that CSS matches', () => {
    const {
      tree: { $ },
    } = parseHtml(html)
    const root = $.root()[0]
    if (!root) throw new Error('no tree')
    const compounds = [
      'div',
      'p',
      'li',
      '.x',
      '.y',
      '#a',
      '*',
      'li.x',
      '[data-n]',
      '[class^="bo"]',
      '[data-n="4"]',
      '[class~="y"]',
      ':first-child',
      'li:last-child',
      'p:nth-child(2)',
      'div:nth-of-type(2)',
      'p:first-of-type',
      '[class*=is]',
    ]
    const compound = fc.constantFrom(...compounds)
    const selector = fc
      .array(fc.tuple(compound, fc.constantFrom(' ', ' > ', ' + ', ', ')), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([one, sign], at) => (at === parts.length - 1 ? one : one + sign)).join(''))
    fc.assert(
      fc.property(selector, (text) => {
        const found = findElements(root, readSelector(text), new WorkBudget(100_000))
        expect(new Set(found)).toEqual(new Set($(text).toArray()))
        expect(found.length).toBe($(text).length)
      }),
      { numRuns: 300 },
    )
  })

  it('a selector may begin with a combinator, relative to the context element', () => {
    const found = (text: string) => {
      const [list] = findElements(rootOf(html), readSelector('ul.list'), new WorkBudget(1000))
      return list && findElements(list, readSelector(text), new WorkBudget(1000)).length
    }
    expect(found('> li')).toBe(3)
    expect(found('> li + li')).toBe(2)
    expect(found('p')).toBe(0)
  })

  it('a selector supports escaped characters in class names', () => {
    const found = findElements(
      rootOf('<b class="md:flex w-1/2">x</b>'),
      readSelector('.md\\:flex.w-1\\/2'),
      new WorkBudget(99),
    )
    expect(found.length).toBe(1)
  })

  it.each([
    ['a:has(b)', /cannot be read|not known/],
    ['a ~ b', /cannot be read/],
    ['a:not(.b)', /cannot be read|not known/],
    [':contains(x)', /cannot be read|not known/],
    ['', /cannot be read/],
    ['a,', /cannot be read/],
    ['a >', /cannot be read/],
    ['a{}', /cannot be read/],
    ['li:nth-child(0)', /not known/],
    ['li:nth-child(2n+1)', /`:nth-child`, which is not known/],
    ['a '.repeat(11), /too many steps/],
    [`.${'a'.repeat(400)}`, /400 characters/],
  ])('a selector outside of the supported part of CSS is refused with the reason, %#', (text, reason) => {
    expect(() => readSelector(text)).toThrow(reason)
  })
})

describe('a rule', () => {
  const product = `<h1> A  boat </h1><p class="price">from <b>1,250.00 €</b></p><a class="more" href="b">more</a>
    <dl><dt>Maker</dt><dd>Ann</dd><dt>Built</dt><dd>1998</dd></dl>
    <ul class="sizes"><li data-size="S">Small</li><li data-size="L">Large <em class="new">new</em></li></ul><ul class="empty"></ul>
    <script type="application/ld+json">{"sku": "b-17"}</script>`

  it('a rule extracts texts, attributes, matches, labelled values and lists, in its own shape', () => {
    const { data } = apply(product, {
      fields: {
        title: { select: 'h1' },
        price: { select: '.price', match: '([\\d.,]+) €', as: 'number' },
        more: { select: 'a.more', attribute: 'href' },
        maker: { select: 'dt', containing: 'maker', step: '+ dd' },
        sku: { select: 'script[type="application/ld+json"]', match: '"sku": "([^"]+)"' },
        sizes: {
          each: '.sizes > li',
          item: { fields: { code: { attribute: 'data-size' }, isNew: { select: '.new', as: 'boolean' } } },
        },
        names: { each: '.sizes li', item: {} },
        none: { each: '.empty > li', item: {} },
        missing: { select: '.nowhere' },
      },
    })
    expect(data).toEqual({
      title: 'A boat',
      price: '1,250.00',
      more: 'https://shop.test/a/b',
      maker: 'Ann',
      sku: 'b-17',
      sizes: [
        { code: 'S', isNew: false },
        { code: 'L', isNew: true },
      ],
      names: ['Small', 'Large new'],
      none: [],
    })
  })

  it('a rule is deterministic, and returns nothing when nothing matches', () => {
    const rule = { fields: { title: { select: 'h1' } } }
    expect(apply(product, rule)).toEqual(apply(product, rule))
    expect(apply('<p>x</p>', rule)).toEqual({})
  })

  it('a rule only reads the tree and returns only its texts', () => {
    const { data } = apply(product, { fields: { __proto__x: { select: 'h1' }, constructor: { select: 'h1' } } })
    expect(data).toEqual({ __proto__x: 'A boat', constructor: 'A boat' })
  })

  it.each<[unknown, RegExp]>([
    ['document.title', /no rule/],
    [{ script: 'process.exit()' }, /`script` is not known/],
    [{ fields: { a: { value: 'made up' } } }, /rule\.a: `value` is not known/],
    [{ select: 'h1', match: '(?=a)' }, /look-around/],
    [{ select: 'h1', match: 'a{999}'.repeat(9) }, /too long/],
    [{ select: 'h1:has(b)' }, /`select`/],
    [{ each: 7, item: {} }, /`each` is no text/],
    [{ select: 'h1', as: 'code' }, /`as`/],
    [JSON.parse(`${'{"each":"a","item":'.repeat(9)}{}${'}'.repeat(9)}`), /within more than/],
    [{ fields: Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`f${at}`, {}])) }, /more than 300/],
  ])('an invalid rule is refused with the reason, %#', (rule, reason) => {
    expect(() => apply(product, rule)).toThrow(reason)
  })

  it('a rule stops at the work limit of a page', () => {
    const deep = '<div>'.repeat(200) + '<i>x</i>'.repeat(300)
    const page = deep.repeat(20)
    const nested = { each: 'div', item: { each: 'div', item: { each: 'i', item: { select: 'i + i' } } } }
    expect(apply(page, nested)).toEqual({ fault: expect.stringMatching(/too much/) })
  })
})

describe('a page that is hard to search', () => {
  it('may have very many siblings', () => {
    const html = `<div>${'<i>x</i>'.repeat(150_000)}</div>`
    expect(apply(html, { select: 'i' })).toEqual({ data: 'x' })
    expect(apply(html, { select: 'div i:first-child' })).toEqual({ data: 'x' })
    expect(apply(html, { select: 'div i:last-of-type' })).toEqual({ data: 'x' })
    expect(apply(html, { select: 'div i:nth-child(9000)' })).toEqual({
      fault: 'the extractor takes too much work on this page',
    })
  })

  it('may have long attributes, whose tests count as work', () => {
    const html = `<div class="${'b '.repeat(500_000)}">x</div>`
    expect(apply(html, { select: '.b' })).toEqual({ data: 'x' })
    expect(apply(html, { select: '.b'.repeat(190) })).toEqual({
      fault: 'the extractor takes too much work on this page',
    })
  })
})
