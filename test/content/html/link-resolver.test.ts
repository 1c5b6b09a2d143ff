import { describe, expect, it } from 'vitest'
import { LinkResolver } from '../../../src/content/html/link-resolver.js'
import { resolveUrl } from '../../../src/base/url.js'

const BASES = [
  'https://site.test',
  'https://site.test/guide',
  'https://site.test/guide/',
  'http://site.test:8080/a/b/c/page.html?q=/x/#y',
  'https://user:secret@site.test/a//b/',
  'https://münchen.test/süß/seite',
  'file:///C:/docs/page.html',
  'data:text/html,page',
  'about:blank',
  'no URL',
]

const NAMES = (
  ', ., .., /, //, ../, page, page.html, a/b.html, a/b/, /a, /a/b.html, /a/, //a/b, ../a, ../../a.html, ../../../../../../a, ' +
  '../.., ../../, ./a, a/../b, a/./b, a//b, .a, ..a, ..., a., a.., a/..b, -a, _a, %2e%2e/a, a%20b, a b,  a , a\nb, ä.html, ' +
  'C:/a, c:, a|b, a?b, ?b, a:b, mailto:a@b.test, http:/a, https:a, http://other.test/a, tel:1, \\a, a\\b'
).split(', ')

describe('LinkResolver', () => {
  it.each(BASES)('resolves links as the URL parser does, on %s', (base) => {
    const resolver = new LinkResolver(base)
    for (const name of NAMES) {
      expect(resolver.resolvePage(name)?.href, name).toBe(resolveUrl(name, base)?.href)
      for (const href of [name, `${name}#part`, `${name}# a part`])
        expect(resolver.resolve(href), href).toBe(resolveUrl(href, base)?.href)
    }
  })
})
