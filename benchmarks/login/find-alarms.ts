import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createEngine, type TrawlError } from '../../src/index.js'
import { findCollection } from '../quality/collection.js'

/** Scrapes all pages of the quality collection with a cookie: none of them is the login page in the place of another. */
interface Archive {
  loadSet(root: string, set: string, split: string): readonly { readonly url?: string; readonly html: string }[]
}

const found = findCollection(process.cwd())
if ('missing' in found) throw new Error(found.missing)
const data = join(found.folder, 'data')
const archive = (await import(pathToFileURL(join(found.folder, 'lib/archive.mjs')).href)) as Archive
const sets = readdirSync(join(data, 'dev'))
const pages = new Map<string, string>()
for (const set of sets) {
  for (const [at, { url = '', html }] of archive.loadSet(data, set, 'dev').entries()) {
    const named = URL.canParse(url) ? new URL(url) : new URL(`https://${set}.test/${at}`)
    named.hash = ''
    // Two sets may have one page, of other days.
    while (pages.has(named.href)) named.searchParams.append('again', set)
    if (typeof html === 'string') pages.set(named.href, html)
  }
}

await using engine = createEngine({
  features: [
    {
      name: 'collection',
      fetcher: {
        handles: () => true,
        fetch: ({ url }) =>
          pages.has(url)
            ? { headers: { 'content-type': 'text/html; charset=utf-8' }, body: pages.get(url) ?? '' }
            : { status: 404 },
      },
    },
  ],
  cache: false,
  fetcher: 'http',
  retry: { maxRetries: 0 },
})
const [alarms, errors] = [new Map<string, string>(), new Map<string, number>()]
let documents = 0
for (const url of pages.keys()) {
  try {
    await engine.scrape(url, { headers: { Cookie: 'session=1' }, formats: ['links'], timeout: 60_000 })
    documents += 1
  } catch (error) {
    const { code = 'none', message } = error as Partial<TrawlError> & Error
    if (code === 'LOGIN_REQUIRED') alarms.set(url, message)
    else errors.set(code, (errors.get(code) ?? 0) + 1)
  }
}
for (const [url, why] of alarms) console.log(`${url}: ${why}`)
console.log(
  `${pages.size} pages with a cookie: ${documents} documents, ${alarms.size} false alarms, other errors:`,
  errors,
)
process.exitCode = alarms.size === 0 ? 0 : 1
