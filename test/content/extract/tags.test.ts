import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

const html = `<header>head</header><div id=a class="x"><p>one</p><p class="x">two</p></div>
  <aside class="sideBar-left">side</aside><section class=y>three <b>four</b></section>`

const include = (...includeTags: string[]): string => textIn(extractHtml(html, { includeTags }))
const exclude = (...excludeTags: string[]): string => textIn(extractHtml(html, { excludeTags }))

describe('includeTags', () => {
  it('keeps the elements that `includeTags` matches, in document order', () => {
    expect(include('section', 'p')).toBe('one two three four')
  })

  it('keeps nested matches of `includeTags` once', () => {
    expect(include('.x', 'p', '#a')).toBe('one two')
  })

  it('returns nothing if `includeTags` matches nothing', () => {
    expect(include('.none')).toBe('')
  })

  it('returns the matches of `includeTags` even outside of the main content', () => {
    expect(textIn(extractHtml(html, { includeTags: ['header'], onlyMainContent: true }))).toBe('head')
  })

  it('drops invisible matches of `includeTags`', () => {
    expect(
      textIn(extractHtml('<div hidden><p>no</p></div><p>yes<script>x</script></p>', { includeTags: ['p', 'script'] })),
    ).toBe('yes')
  })
})

describe('excludeTags', () => {
  it('drops the elements that `excludeTags` matches', () => {
    expect(exclude('p.x', 'section > b', 'header')).toBe('one side three')
  })

  it('drops elements with a word in tag name, class or id, ignoring case', () => {
    expect(exclude('*sidebar*', '*SECT*', '*a*')).toBe('')
    expect(exclude('*sidebar*')).toBe('head one two three four')
  })

  it('applies `excludeTags` together with `includeTags`', () => {
    expect(textIn(extractHtml(html, { includeTags: ['#a', 'section'], excludeTags: ['.x p', 'b'] }))).toBe('three')
    expect(textIn(extractHtml(html, { includeTags: ['p'], excludeTags: ['#a'] }))).toBe('')
  })
})

it('warns about an invalid selector instead of failing', () => {
  const page = extractHtml(html, { excludeTags: ['p[', 'header', ':has('] })
  expect(textIn(page)).toBe('one two side three four')
  expect(page.warnings).toHaveLength(2)
  expect(page.warnings[0]).toMatch(/^The selector `p\[` cannot be read/)
})
