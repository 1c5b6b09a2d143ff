import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildTree } from '../../src/parse/html/build-tree.js'
import { TooManyNodes } from '../../src/parse/html/tree-builder.js'
import { type Element, type ParentNode, isElement, isText, textOf, walk } from '../../src/html/tree.js'

const limits = { maxDepth: 256, maxNodes: 500_000, isXml: false }

/** The tree as a line: `p("text" b("bold"))`. */
function outline(node: ParentNode): string {
  return node.children
    .map((child) => {
      if (isText(child)) return JSON.stringify(child.data)
      if (!isElement(child)) return '?'
      const inner = outline(child)
      return inner === '' ? child.name : `${child.name}(${inner})`
    })
    .join(' ')
}

const bodyOf = (html: string): string => outline(buildTree(html, limits).body)

function depthOf(element: Element): number {
  let depth = 0
  for (let at = element.parent; at !== null; at = at.parent) depth += 1
  return depth
}

describe('tags that HTML lets one leave out', () => {
  it.each([
    ['<p>a<p>b<div>c</div>', 'p("a") p("b") div("c")'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', 'ul(li("a") li("b" ul(li("c"))) li("d"))'],
    ['<dl><dt>a<dd>b<dt>c</dl>', 'dl(dt("a") dd("b") dt("c"))'],
    ['<table><tr><td>a<td>b<tr><td>c</table>d', 'table(tbody(tr(td("a") td("b")) tr(td("c")))) "d"'],
    ['<table><thead><tr><th>h<tbody><tr><td>d</table>', 'table(thead(tr(th("h"))) tbody(tr(td("d"))))'],
    ['<select><option>a<option>b</select>', 'select(option("a") option("b"))'],
    ['<ruby>漢<rp>(<rt>kan<rp>)</ruby>', 'ruby("漢" rp("(") rt("kan") rp(")"))'],
    ['<h1>a<h2>b</h2>', 'h1("a") h2("b")'],
    ['a<br>b<br/>c</br>d', '"a" br "b" br "c" br "d"'],
  ])('are put in: %s', (html, tree) => {
    expect(bodyOf(html)).toBe(tree)
  })

  it('always gives a page its html, head and body', () => {
    expect(outline(buildTree('', limits).document)).toBe('html(head body)')
    expect(outline(buildTree('<title>t</title><p>x', limits).document)).toBe('html(head(title("t")) body(p("x")))')
    expect(outline(buildTree('<html lang=en><body class=a><body id=b>x', limits).document)).toBe('html(head body("x"))')
  })

  it('keeps what a second body tag says beside what the first said', () => {
    expect(buildTree('<body class=a><body class=b id=c>', limits).body.attribs).toEqual({ class: 'a', id: 'c' })
  })
})

describe('mark-up that is not nested as it should be', () => {
  it.each([
    ['<div><ul><li>a</b></ul>b</div>c', 'div(ul(li("a")) "b") "c"'],
    ['<div>a</span></p>b</div>', 'div("ab")'],
    ['<table><tr><td>a</div>b</td></tr></table>', 'table(tbody(tr(td("ab"))))'],
    ['<b>a<div>b</b>c</div>d', 'b("a") div(b("b") "c") "d"'],
    ['<a href=x><div>a</a>b</div>', 'a div(a("a") "b")'],
    ['<a>x<a>y', 'a("x") a("y")'],
    ['<form>a<form>b</form>c', 'form("ab") "c"'],
    ['<button>a<button>b', 'button("a") button("b")'],
    ['<h1>a</h2>b', 'h1("a") "b"'],
    ['<table>a<tr>b<td>c</table>', '"ab" table(tbody(tr(td("c"))))'],
    ['<table><form><tr><td>a</form></table>b', 'table(form tbody(tr(td("a")))) "b"'],
    ['a<td>b', '"ab"'],
  ])('comes out as browsers have it: %s', (html, tree) => {
    expect(bodyOf(html)).toBe(tree)
  })
})

describe('content that is no mark-up', () => {
  it('is read to its end tag in scripts, styles, titles and text areas', () => {
    expect(bodyOf('a<script>if (a<b) "<p>"</script>x')).toBe('"a" script("if (a<b) \\"<p>\\"") "x"')
    expect(bodyOf('<textarea>\n<p></textarea>x')).toBe('textarea("<p>") "x"')
    expect(outline(buildTree('<title>a &amp; <b></title>', limits).document)).toBe('html(head(title("a & <b>")) body)')
  })

  it('does not swallow the page after a script that closes itself', () => {
    expect(bodyOf('<p>a<script src=x /><p>b</p>')).toBe('p("a" script) p("b")')
  })

  it('is left out in comments, declarations and stray CDATA', () => {
    expect(bodyOf('<!doctype html>a<!-- <p> -->b<![CDATA[ c>d')).toBe('"abd"')
    expect(bodyOf('a<!--[if IE]><p>old</p><![endif]-->b')).toBe('"ab"')
    expect(bodyOf('a<!-- never closed <p>b')).toBe('"a"')
  })

  it('is text in the CDATA of a drawing', () => {
    expect(bodyOf('<svg><style><![CDATA[.a{}]]></style><text><![CDATA[x]]></text></svg>y')).toContain('text("x")')
  })

  it('ends a drawing that was left open at the next paragraph', () => {
    expect(bodyOf('<svg><path><p>a')).toBe('svg(path) p("a")')
  })

  it('loses NUL characters and the first line break of a pre', () => {
    expect(bodyOf('<pre>\n\na\0b\r\nc</pre>')).toBe('pre("\\nab\\nc")')
  })
})

describe('attributes', () => {
  it('keeps the first of each name, decoded, in lower case', () => {
    const { body } = buildTree('<p CLASS="a &amp; b" class=c data-x>', limits)
    expect(body.children[0]).toMatchObject({ attribs: { class: 'a & b', 'data-x': '' } })
  })

  it('keeps no more than it needs of a tag with too many', () => {
    const many = Array.from({ length: 2000 }, (_, at) => `a${at}=1`).join(' ')
    const [p] = buildTree(`<p ${many}>`, limits).body.children
    expect(Object.keys((p as Element).attribs).length).toBeLessThan(1000)
  })

  it('does not mind names that mean something to JavaScript', () => {
    const [p] = buildTree('<p __proto__=a constructor=b>', limits).body.children
    expect((p as Element).attribs['constructor']).toBe('b')
  })

  it('knows the first base address', () => {
    expect(buildTree('<base target=x><base href="/a/"><base href="/b/">', limits).baseHref).toBe('/a/')
  })
})

describe('hostile nesting', () => {
  const deep = (html: string, maxDepth = 50): { deepest: number; text: string } => {
    const { document } = buildTree(html, { ...limits, maxDepth })
    let deepest = 0
    walk(document, (node) => {
      if (isElement(node)) deepest = Math.max(deepest, depthOf(node))
    })
    return { deepest, text: textOf(document) }
  }

  it('is cut at the deepest level that is wanted, with all text in its order', () => {
    const html = `${'<div>a'.repeat(200)}<i>b</i>c${'</div>d'.repeat(200)}`
    const { deepest, text } = deep(html)
    expect(deepest).toBeLessThanOrEqual(54)
    expect(text).toBe(`${'a'.repeat(200)}bc${'d'.repeat(200)}`)
  })

  it('loses no text whatever the tags', () => {
    const tag = fc.constantFrom('div', 'b', 'p', 'span', 'ul', 'li', 'a', 'h2', 'section', 'i', 'blockquote')
    const piece = fc.tuple(tag, fc.constantFrom('open', 'close'), fc.stringMatching(/^[a-z]{0,3}$/))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (pieces, maxDepth) => {
        const html = pieces.map(([name, kind, text]) => `<${kind === 'close' ? '/' : ''}${name}>${text}`).join('')
        expect(deep(html, maxDepth).text).toBe(pieces.map(([, , text]) => text).join(''))
      }),
    )
  })

  it('is refused when it makes more nodes than wanted', () => {
    expect(() => buildTree('<p>a'.repeat(100), { ...limits, maxNodes: 100 })).toThrow(TooManyNodes)
  })
})
