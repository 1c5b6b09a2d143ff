import { Parser } from 'htmlparser2'
import type { ReadPage } from './loop-over-undici.js'
import { resolveLink } from './resolve-link.js'

/** The physical limit of Node's HTTP client: fetches pages and tokenizes them for links. */
export const findOnlyLinks: ReadPage = async (body, url) => ({
  links: findLinks(new TextDecoder().decode(body), url),
  characters: 0,
})

function findLinks(html: string, base: string): Set<string> {
  const links = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { href }) => {
      if (name === 'a' && href !== undefined) for (const url of resolveLink(href, base)) links.add(url)
    },
  })
  parser.end(html)
  return links
}
