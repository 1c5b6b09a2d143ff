import { resolveWebUrl } from '../../base/url.js'

/** Returns the addresses of files beside a page that may have its Markdown: the usual one, and the other. */
export function addressesBeside(pageUrl: string): { readonly beside?: string; readonly folder?: string } {
  const { origin, pathname, search } = new URL(pageUrl)
  if (search !== '') return {}
  const at = (path: string): string => `${origin}${path}`
  if (pathname === '/') return { beside: at('/index.md') }
  if (pathname.endsWith('/')) return { beside: at(`${pathname.slice(0, -1)}.md`), folder: at(`${pathname}index.md`) }
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  const html = /\.html?$/i.exec(name)
  if (html) return { beside: at(`${pathname.slice(0, -html[0].length)}.md`), folder: at(`${pathname}.md`) }
  return /\.[a-z]{1,5}$/i.test(name) ? {} : { beside: at(`${pathname}.md`) }
}

/** Maximum links of an `llms.txt` to read. */
const MAX_LINKS = 1000

/** Reads the Markdown files of its own origin that an `llms.txt` lists, by {@link pageKey}. @see https://llmstxt.org */
export function readLlmsFile(text: string, url: string): ReadonlyMap<string, string> {
  const { origin } = new URL(url)
  const found = new Map<string, string>()
  for (const part of text.split('](', MAX_LINKS + 1).slice(1)) {
    const [href = ''] = part.slice(0, 2000).split(/[)\s]/, 1)
    const resolved = resolveWebUrl(href, url)
    if (resolved?.origin === origin && resolved.pathname.endsWith('.md')) found.set(pageKey(resolved), resolved.href)
  }
  return found
}

/** Writes the path of a page, or of its Markdown, without what differs between them. */
export const pageKey = ({ pathname }: URL): string =>
  pathname
    .replace(/\.md$/, '')
    .replace(/\.html?$/, '')
    .replace(/\/index$/, '')
    .replace(/\/$/, '')
