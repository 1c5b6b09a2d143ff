import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildTree } from '../../../src/content/parse/html/build-tree.js'
import { TooManyNodes } from '../../../src/content/parse/html/tree-builder.js'
import { type Element, type ParentNode, isElement, isText, textOf, walk } from '../../../src/content/html/tree.js'

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

describe('optional tags', () => {
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

  it('always creates the elements html, head and body', () => {
    expect(outline(buildTree('', limits).document)).toBe('html(head body)')
    expect(outline(buildTree('<title>t</title><p>x', limits).document)).toBe('html(head(title("t")) body(p("x")))')
    expect(outline(buildTree('<html lang=en><body class=a><body id=b>x', limits).document)).toBe('html(head body("x"))')
  })

  it('adds new attributes of a second body tag to the first', () => {
    expect(buildTree('<body class=a><body class=b id=c>', limits).body.attribs).toEqual({ class: 'a', id: 'c' })
  })
})

describe('misnested markup', () => {
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
  ])('gives the same tree as in browsers: %s', (html, tree) => {
    expect(bodyOf(html)).toBe(tree)
  })
})

describe('content that is not markup', () => {
  it('is read up to the end tag in scripts, styles, titles and text areas', () => {
    expect(bodyOf('a<script>if (a<b) "<p>"</script>x')).toBe('"a" script("if (a<b) \\"<p>\\"") "x"')
    expect(bodyOf('<textarea>\n<p></textarea>x')).toBe('textarea("<p>") "x"')
    expect(outline(buildTree('<title>a &amp; <b></title>', limits).document)).toBe('html(head(title("a & <b>")) body)')
  })

  it('is read up to the end tag although the start tag ends in a slash', () => {
    for (const name of ['script', 'style', 'textarea', 'SCRIPT'])
      expect(bodyOf(`<p>a<${name} id=x /> <b>no</b> </${name} >b`)).toMatch(/^p\("a" \w+\(" <b>no<\/b> "\) "b"\)$/)
    expect(bodyOf('a<script src=a /><script src=b></script>b')).toBe('"a" script("<script src=b>") "b"')
    expect(bodyOf('<svg><style/><text>a</text></svg>b<script/>c')).toContain('text("a")')
  })

  it('does not include the page after a self-closing script without an end tag', () => {
    expect(bodyOf('<p>a<script src=x /><p>b</p>')).toBe('p("a" script) p("b")')
    expect(bodyOf('a<script></script><style/>b</styles>')).toBe('"a" script style "b"')
    expect(bodyOf('a'.concat('<script/>'.repeat(100_000), 'b')).endsWith(' "b"')).toBe(true)
  })

  it('is dropped from comments, declarations and CDATA in HTML', () => {
    expect(bodyOf('<!doctype html>a<!-- <p> -->b<![CDATA[ c>d')).toBe('"abd"')
    expect(bodyOf('a<!--[if IE]><p>old</p><![endif]-->b')).toBe('"ab"')
    expect(bodyOf('a<!-- never closed <p>b')).toBe('"a"')
  })

  it('is text in CDATA inside of an SVG image', () => {
    expect(bodyOf('<svg><style><![CDATA[.a{}]]></style><text><![CDATA[x]]></text></svg>y')).toContain('text("x")')
  })

  it('does not include a paragraph after an unclosed svg element', () => {
    expect(bodyOf('<svg><path><p>a')).toBe('svg(path) p("a")')
  })

  it('has no NUL characters, and no line break at the start of a pre', () => {
    expect(bodyOf('<pre>\n\na\0b\r\nc</pre>')).toBe('pre("\\nab\\nc")')
  })
})

describe('attributes of an element', () => {
  it('are decoded, and the first of each name counts, in lower case', () => {
    const { body } = buildTree('<p CLASS="a &amp; b" class=c data-x>', limits)
    expect(body.children[0]).toMatchObject({ attribs: { class: 'a & b', 'data-x': '' } })
  })

  it('are bounded in number', () => {
    const many = Array.from({ length: 2000 }, (_, at) => `a${at}=1`).join(' ')
    const [p] = buildTree(`<p ${many}>`, limits).body.children
    expect(Object.keys((p as Element).attribs).length).toBeLessThan(1000)
  })

  it('may be named like properties of JavaScript objects', () => {
    const [p] = buildTree('<p __proto__=a constructor=b>', limits).body.children
    expect((p as Element).attribs['constructor']).toBe('b')
  })

  it('include the URL of the first base element', () => {
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

  it('is bounded by maxDepth, with all text in order', () => {
    const html = `${'<div>a'.repeat(200)}<i>b</i>c${'</div>d'.repeat(200)}`
    const { deepest, text } = deep(html)
    expect(deepest).toBeLessThanOrEqual(54)
    expect(text).toBe(`${'a'.repeat(200)}bc${'d'.repeat(200)}`)
  })

  it('loses no text, whatever the tags', () => {
    const tag = fc.constantFrom('div', 'b', 'p', 'span', 'ul', 'li', 'a', 'h2', 'section', 'i', 'blockquote')
    const piece = fc.tuple(tag, fc.constantFrom('open', 'close'), fc.stringMatching(/^[a-z]{0,3}$/))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (pieces, maxDepth) => {
        const html = pieces.map(([name, kind, text]) => `<${kind === 'close' ? '/' : ''}${name}>${text}`).join('')
        expect(deep(html, maxDepth).text).toBe(pieces.map(([, , text]) => text).join(''))
      }),
    )
  })

  it('throws if the tree has more than maxNodes nodes', () => {
    expect(() => buildTree('<p>a'.repeat(100), { ...limits, maxNodes: 100 })).toThrow(TooManyNodes)
  })
})
