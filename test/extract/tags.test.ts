import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

const html = `<header>head</header><div id=a class="x"><p>one</p><p class="x">two</p></div>
  <aside class="sideBar-left">side</aside><section class=y>three <b>four</b></section>`

const include = (...includeTags: string[]): string => textIn(extractHtml(html, { includeTags }))
const exclude = (...excludeTags: string[]): string => textIn(extractHtml(html, { excludeTags }))

describe('includeTags', () => {
  it('keeps what the selectors match, in document order whatever theirs', () => {
    expect(include('section', 'p')).toBe('one two three four')
  })

  it('keeps what is matched inside of another match once, where it is', () => {
    expect(include('.x', 'p', '#a')).toBe('one two')
  })

  it('gives nothing when nothing matches', () => {
    expect(include('.none')).toBe('')
  })

  it('is not guessed about: what is asked for is given, also where it is no main content', () => {
    expect(textIn(extractHtml(html, { includeTags: ['header'], onlyMainContent: true }))).toBe('head')
  })

  it('does not give what no reader sees', () => {
    expect(
      textIn(extractHtml('<div hidden><p>no</p></div><p>yes<script>x</script></p>', { includeTags: ['p', 'script'] })),
    ).toBe('yes')
  })
})

describe('excludeTags', () => {
  it('drops what the selectors match', () => {
    expect(exclude('p.x', 'section > b', 'header')).toBe('one side three')
  })

  it('drops what contains a word in its tag name, class or id, in any case', () => {
    expect(exclude('*sidebar*', '*SECT*', '*a*')).toBe('')
    expect(exclude('*sidebar*')).toBe('head one two three four')
  })

  it('holds together with includeTags', () => {
    expect(textIn(extractHtml(html, { includeTags: ['#a', 'section'], excludeTags: ['.x p', 'b'] }))).toBe('three')
    expect(textIn(extractHtml(html, { includeTags: ['p'], excludeTags: ['#a'] }))).toBe('')
  })
})

it('does not fail on a selector that cannot be read, and says so', () => {
  const page = extractHtml(html, { excludeTags: ['p[', 'header', ':has('] })
  expect(textIn(page)).toBe('one two side three four')
  expect(page.warnings).toHaveLength(2)
  expect(page.warnings[0]).toMatch(/^The selector `p\[` cannot be read/)
})
