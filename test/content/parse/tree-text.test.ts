import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../src/content/parse/parse.js'
import { stripTags } from '../../../src/content/parse/html/strip-tags.js'
import { TextWriter, treeToText } from '../../../src/content/parse/html/tree-text.js'

/** Returns the text of a page's tree, and the text of the HTML of that tree. */
function bothTexts(html: string): { readonly ofTree: string | undefined; readonly ofHtml: string } {
  const page = parse(
    {
      url: 'https://site.test/',
      body: new TextEncoder().encode(html),
      contentType: 'text/html; charset=utf-8',
      mediaType: 'text/html',
    },
    { maxHtmlBytes: 1e6, maxDepth: 512, maxNodes: 1e5 },
  )
  const root = page.tree.$.root()[0]
  return { ofTree: root && treeToText(root), ofHtml: stripTags(page.tree.$.html()) }
}

describe('treeToText', () => {
  it.each([
    ['blocks and inline elements', '<h1>Title</h1><p>One <b>two</b>\n\t three</p><ul><li>a<li>b</ul>x<br>y'],
    ['entities that the page shows as text', '<p>&amp;lt;b&amp;gt; &amp;amp; &amp;eacute; &lt;p&gt; $ " \''],
    ['white space beside ASCII', '<p>a&nbsp;&nbsp;b &emsp; c&nbsp;</p>&nbsp;<p>&#x2028;d\u0085e'],
    ['characters of two code units, and halves of them', '<p>🎉 &#xd83c; 𝒜'],
    ['custom elements whose names begin as blocks', 'a<p-x>b</p-x>c<li1>d</li1>e<divider>f</divider>'],
    ['frames without text', 'a<iframe src="/x"></iframe>b<svg><foreignObject>c</foreignObject><path/></svg>'],
    ['names of attributes that look like markup', '<a <!-- b--!>c</a><a </script/ "<p>">d'],
  ])('gives what the HTML of the tree reads as, with %s', (_, html) => {
    const { ofTree, ofHtml } = bothTexts(html)
    expect(ofTree).toBe(ofHtml)
  })

  it('leaves trees with text that HTML has without escapes to their HTML', () => {
    expect(bothTexts('a<script>b</script>').ofTree).toBeUndefined()
    expect(bothTexts('a<xmp><p>b</xmp>').ofTree).toBeUndefined()
  })

  it('gives what the HTML of the tree reads as, whatever the page', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'<p> </p> <b> </b> <br> <td> <li> <a href="x>y"> <style-x> <svg> <x:y> < > & &amp; &nbsp; \n'.split(' '),
      ),
      fc.constantFrom(' ', '  ', 'word', 'é', '\u00A0', '\t'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    const html = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(html, (page) => {
        const { ofTree, ofHtml } = bothTexts(page)
        expect(ofTree ?? ofHtml).toBe(ofHtml)
      }),
      { numRuns: 500 },
    )
  })
})

describe('TextWriter', () => {
  it('makes room for long texts and for many short ones', () => {
    const writer = new TextWriter()
    const long = 'x'.repeat(100_000)
    writer.addText(long)
    for (let at = 0; at < 50_000; at += 1) writer.addText(' yz')
    expect(writer.finish()).toBe(long + ' yz'.repeat(50_000))
  })

  it('keeps nothing after the end', () => {
    const writer = new TextWriter()
    writer.addText('one')
    expect(writer.finish()).toBe('one')
    expect(writer.finish()).toBe('')
  })
})
