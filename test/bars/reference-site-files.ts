import { Parser } from 'htmlparser2'
import type { ReferenceReader } from './reference-reader.js'

/** What a site's robots.txt says to the crawler. */
export interface ReferenceRobots {
  readonly allows: (url: URL) => boolean
  readonly sitemaps: readonly string[]
}

/** By the rules of RFC 9309, for files that are written well: no escapes to compare, no oddities to survive. */
export async function readRobots(origin: string, reader: ReferenceReader): Promise<ReferenceRobots> {
  const text = (await reader.readText(`${origin}/robots.txt`)) ?? ''
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name: name.toLowerCase(), value }]
  })
  const groups: { agents: string[]; rules: { allow: boolean; pattern: string }[] }[] = []
  for (const { name, value } of fields) {
    const last = groups.at(-1)
    if (name === 'user-agent') {
      if (last && last.rules.length === 0) last.agents.push(value.toLowerCase())
      else groups.push({ agents: [value.toLowerCase()], rules: [] })
    } else if ((name === 'allow' || name === 'disallow') && value !== '') {
      last?.rules.push({ allow: name === 'allow', pattern: value })
    }
  }
  const own = groups.filter(({ agents }) => agents.includes('trawl'))
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*')))
    .flatMap((group) => group.rules)
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
  return {
    allows: (url) => rules.find(({ pattern }) => matches(pattern, url.pathname + url.search))?.allow ?? true,
    sitemaps: fields.filter(({ name }) => name === 'sitemap').map(({ value }) => new URL(value, origin).href),
  }
}

function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/[.+?^{}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replace(/\$(?!$)/g, '\\$')
  return new RegExp(`^${source}`).test(path)
}

/** Every page that the site's sitemaps name: no indexes. */
export async function readSitemaps(urls: readonly string[], reader: ReferenceReader): Promise<URL[]> {
  const found: URL[] = []
  for (const url of new Set(urls)) {
    let text: string | undefined
    const parser = new Parser(
      {
        onopentag: (name) => {
          if (name === 'loc') text = ''
        },
        ontext: (part) => {
          if (text !== undefined) text += part
        },
        onclosetag: (name) => {
          if (name !== 'loc' || text === undefined) return
          found.push(new URL(text.trim()))
          text = undefined
        },
      },
      { xmlMode: true },
    )
    parser.end((await reader.readText(url)) ?? '')
  }
  return found
}
