import { describe, expect, it } from 'vitest'
import { parse } from '../../../src/content/parse/parse.js'
import type { ParsedPage } from '../../../src/content/parse/parser.js'
import { bytes, pageUrl, parsePlan } from './pages.js'

const xmlns = 'xmlns="http://www.w3.org/1999/xhtml"'
const typeOfXhtml = 'application/xhtml+xml'

const parseAs = (contentType: string | undefined, source: string, url = pageUrl): ParsedPage =>
  parse({ url, body: bytes(source), ...(contentType !== undefined && { contentType }) }, parsePlan)

/** Writes a body, and a document type before it. */
const pageOf = (body: string, documentType = ''): string =>
  `<?xml version="1.0"?>${documentType}<html ${xmlns}><head><title>t</title></head><body>${body}</body></html>`

const textOf = (body: string, documentType = ''): string =>
  parseAs(typeOfXhtml, pageOf(body, documentType)).tree.$('body').text()

describe('XHTML', () => {
  it.each(
    'a div iframe textarea script style title svg math p li table select button template noscript xmp'.split(' '),
  )('goes on after an empty %s', (name) => {
    const { $ } = parseAs(typeOfXhtml, pageOf(`<p>one</p><${name}/><p>two</p>`)).tree
    expect($('body > p').text()).toBe('onetwo')
  })

  it('has text in CDATA sections', () => {
    expect(textOf('<p>a <![CDATA[b < c & <em>d</em>]]> e<![CDATA[]]></p>')).toBe('a b < c & <em>d</em> e')
    expect(textOf('<pre><![CDATA[if (a < b && c > d) {}]]></pre>')).toBe('if (a < b && c > d) {}')
  })

  it('has scripts that CDATA sections hide end tags in', () => {
    const script = '//<![CDATA[\nif (a < b) write("</script><p>no</p>")\n//]]>'
    expect(textOf(`<script>${script}</script><p>after</p>`).replace(script, '')).toBe('after')
    expect(textOf('<style><![CDATA[a::after { content: "</style>" }]]></style>x')).toMatch(/\]\]>x$/)
  })

  it('ends a processing instruction as XML does', () => {
    expect(textOf('a<?php echo "a > b"; ?>b')).toBe('ab')
    const page = parseAs(typeOfXhtml, `<?xml-stylesheet href="a.css?b>c"?>${pageOf('<p>x</p>')}`)
    expect(page.tree.$('body').text()).toBe('x')
  })

  it('may have prefixed elements', () => {
    const { $ } = parseAs(
      typeOfXhtml,
      '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>T</h:title><h:script>"</h:p>"</h:script></h:head>' +
        '<h:body><h:p>one <h:em>two</h:em><h:br/></h:p><m:math xmlns:m="http://www.w3.org/1998/Math/MathML"/><o:p>x</o:p></h:body></h:html>',
    ).tree
    expect($('head > title').text()).toBe('T')
    expect($('body > p > em').text()).toBe('two')
    expect($('body > math, body > o\\:p')).toHaveLength(2)
  })

  it('has markup in titles and text areas, as XML knows no elements with text only', () => {
    expect(textOf('<textarea>a &lt; <![CDATA[<p>]]></textarea>')).toBe('a < <p>')
  })

  it('is recognized without a declared type by its name, or its XML declaration and namespace', () => {
    const body = `<p>one <![CDATA[<two>]]></p>`
    const nameless = 'https://site.test/page'
    expect(parseAs(undefined, pageOf(body), nameless).tree.$('p').text()).toBe('one <two>')
    expect(parseAs('application/octet-stream', pageOf(body), nameless).tree.$('p').text()).toBe('one <two>')
    const undeclared = `<html><body>${body}</body></html>`
    expect(parseAs(undefined, undeclared, 'https://site.test/a.xhtml').tree.$('p').text()).toBe('one <two>')
    expect(parseAs(undefined, undeclared, nameless).tree.$('p').text()).toBe('one ]]>')
  })

  it('is read by the rules of HTML if it is declared to be HTML', () => {
    expect(parseAs('text/html', pageOf('<p>a<![CDATA[b]]>c</p>')).tree.$('p').text()).toBe('ac')
  })

  it('is recognized by its root element after comments and a document type with markup', () => {
    const page = parseAs(
      'application/xml',
      pageOf('<p>&co;</p>', '<!-- <div> --><!DOCTYPE html [<!ENTITY co "<b>Acme</b>"><!-- <x> -->]><?x <y>?>'),
    )
    expect(page.tree.$('p > b').text()).toBe('Acme')
    expect(parseAs('application/xml', '<!-- <html> --><lamps/>').markdown).toMatch(/^```xml/)
  })

  it('has the charset of its header if it is declared to be other XML', () => {
    const body = Buffer.from(`<html ${xmlns}><body><p>é</p></body></html>`, 'latin1')
    const page = parse({ url: pageUrl, body, contentType: 'text/xml; charset=iso-8859-1' }, parsePlan)
    expect(page.tree.$('p').text()).toBe('é')
  })
})

describe('XHTML that is no XML', () => {
  it.each([
    ['<p>one<br>two<p>three & four', 'onetwothree & four'],
    ['a<![CDATA[b>c', 'ac'],
    ['a<?b>c', 'ac'],
    ['a<script>"<![CDATA["</script>b', 'a"<![CDATA["b'],
    ['<P>one</P><x:y>two</x:y>', 'onetwo'],
  ])('loses no content: %s', (body, text) => {
    expect(textOf(body).trim()).toBe(text)
  })

  it.each(['<!DOCTYPE html [ <!ENTITY a "b', '<!DOCTYPE html [ <!-- ', '<!DOCTYPE html ['])(
    'has a document type that does not end: %s',
    (documentType) => {
      expect(textOf('<p>text</p>', documentType)).toContain('text')
    },
  )
})

describe('entities of a document type', () => {
  const declare = (declarations: string): string => `<!DOCTYPE html PUBLIC "-//W3C//DTD" "x.dtd" [${declarations}]>`

  it('are replaced in text and attributes', () => {
    const { $ } = parseAs(
      typeOfXhtml,
      pageOf(
        '<p title="by &co;">&co; makes &thing; &eacute;&nbsp;&none; &#233;<![CDATA[&co;]]></p>',
        declare(
          `<!-- ]> " --><!ENTITY co 'Acme "Inc"'><!ENTITY thing "&co; <b>lamps</b> > ]"><!ENTITY co "x"><?x ]> ?>` +
            '<!ENTITY % par "y"><!ELEMENT p (#PCDATA)>',
        ),
      ),
    ).tree
    expect($('p').text()).toBe('Acme "Inc" makes Acme "Inc" lamps > ] é\u00A0&none; é&co;')
    expect($('p').attr('title')).toBe('by Acme "Inc"')
    expect($('b').text()).toBe('lamps')
  })

  it('do not change those of XML', () => {
    expect(textOf('a &lt; b', declare('<!ENTITY lt "&#38;#60;">'))).toBe('a < b')
  })

  it('are not loaded', () => {
    expect(textOf('a &file; b', declare('<!ENTITY file SYSTEM "file:///etc/hostname">'))).toBe('a &file; b')
  })

  it('may contain themselves', () => {
    expect(textOf('&a;', declare('<!ENTITY a "x&b;"><!ENTITY b "y&a;">'))).toBe('xy&a;')
  })

  it('make a page larger by a bounded length', () => {
    const levels = Array.from({ length: 60 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
    const bomb = declare(`<!ENTITY e0 "lol">${levels.join('')}`)
    const text = textOf('&e60;&e3;'.repeat(1000), bomb)
    expect(text).toMatch(/^.*(?:lol){100}/)
    expect(text.length).toBeLessThan(1_100_000)
  })
})
