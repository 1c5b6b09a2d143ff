import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type ChildNode, isElement, type ParentNode, walk } from '../../../src/content/html/tree.js'
import { extractHtml } from './contents.js'

const PAGE =
  '<html lang=en><head><title>t</title></head><body><nav><a href="x">x</a></nav><p>y <a href="z">z</a></p></body></html>'

it('takes the content out of the page, and leaves the rest in document order', () => {
  const html = '<body><script>1</script><main>a<script>2</script><p>b</p><meta name=m></main><script>3</script>'
  const {
    page,
    tree: { $ },
  } = extractHtml(html, { includeTags: ['main'] })
  expect($.html()).toBe('<main>a<p>b</p></main>')
  expect(page.tree.$('body').html()).toBe('<script>1</script><script>2</script><meta name="m"><script>3</script>')
})

it('leaves the whole page unchanged if it is asked to', () => {
  const before = extractHtml(PAGE, { includeTags: ['aside'] }).page.tree.$.html()
  const {
    page,
    tree: { $ },
  } = extractHtml(PAGE, { includeTags: ['p'], keepsPage: true })
  expect(page.tree.$.html()).toBe(before)
  expect(page.tree.$('p a').attr('href')).toBe('z')
  expect($('a').attr('href')).toBe('https://site.test/dir/z')
})

it('takes the whole page if that is the content', () => {
  const {
    page,
    tree: { $ },
  } = extractHtml(PAGE, { includeTags: ['html'] })
  expect($('html').attr('lang')).toBe('en')
  expect(page.tree.$('html').length).toBe(0)
})

it('reads an image of a `noscript` as the page shows it before the content is taken out', () => {
  const html = '<p>a</p><noscript><picture><source srcset="big.jpg 2x"><img src="blank.gif"></picture></noscript>'
  const {
    tree: { $ },
  } = extractHtml(`${html}<img src="other.jpg">`)
  expect($('img').attr('src')).toBe('https://site.test/dir/big.jpg')
  expect(extractHtml(`${html}<img src="big.jpg">`).tree.$('img').length).toBe(1)
})

const fixtures = new URL('../../fixtures/markdown/', import.meta.url)

it.each(readdirSync(fixtures))('leaves two trees whose nodes are linked to each other: %s', (name) => {
  const html = readFileSync(new URL(`${name}/page.html`, fixtures), 'utf8')
  const {
    page,
    tree: { $ },
  } = extractHtml(html, { onlyMainContent: true })
  for (const root of [page.tree.$.root()[0], $.root()[0]]) if (root !== undefined) expectLinked(root)
})

/** Fails unless the links of all nodes agree with the lists of children. */
function expectLinked(root: ParentNode): void {
  const check = (parent: ParentNode): void => {
    const { children } = parent
    const wrong = children.filter(
      (child, at): child is ChildNode =>
        child.parent !== parent ||
        child.prev !== (children[at - 1] ?? null) ||
        child.next !== (children[at + 1] ?? null),
    )
    expect(wrong).toEqual([])
  }
  check(root)
  walk(root, (node) => {
    if (isElement(node)) check(node)
  })
}
