import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { stripTags } from '../../../src/content/parse/html/strip-tags.js'

it('stripTags writes each block as a paragraph, and joins inline elements', () => {
  expect(stripTags('<h1>Title</h1><p>One <b>two</b>\n three</p><ul><li>a<li>b</ul>x<br>y')).toBe(
    'Title\n\nOne two three\n\na\n\nb\n\nx\n\ny',
  )
})

it('stripTags drops scripts, styles and comments', () => {
  expect(stripTags('a<script>if (x < y) "<p>"</script>b<style>p{}</style>c<!-- <p>d</p> -->e')).toBe('abce')
  expect(stripTags('a<script>never closed <p>b')).toBe('a')
  expect(stripTags('a<!-- never closed <p>b')).toBe('a')
})

it('stripTags keeps a < that starts no tag', () => {
  expect(stripTags('1 < 2 and <3')).toBe('1 < 2 and <3')
})

it('stripTags decodes the common entities', () => {
  expect(stripTags('a &amp; b &lt;p&gt; &#233; &#xe9; &nbsp; &unknown; &#99999999;')).toBe(
    'a & b <p> é é &unknown; &#99999999;',
  )
})

it('stripTags accepts any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof stripTags(text) === 'string'))
})
