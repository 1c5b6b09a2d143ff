import { fileURLToPath } from 'node:url'
import { createEngine } from '../../src/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceCrawl } from '../bars/reference-crawler.js'
import { type Site, startSite } from './site.js'

let site: Site
beforeAll(async () => {
  site = await startSite()
  site.mount('/', fileURLToPath(new URL('./docs', import.meta.url)))
})
afterAll(() => site.close())

/** What can be reached from `/`, without slashes at the end and index files. */
const pages = [
  '',
  '/changelog.html',
  '/faq.html',
  '/fr',
  '/glossary.html',
  '/guides',
  '/guides/calendars.html',
  '/guides/deploy.html',
  '/guides/first-schedule.html',
  '/guides/install.html',
  '/guides/misfires.html',
  // Linked only as `restore.html#point-in-time`.
  '/guides/restore.html',
  '/guides/time-zones.html',
  // Linked, and not there.
  '/guides/windows-service.html',
  '/reference',
  '/reference/cli.html',
  '/reference/clients',
  '/reference/clients/go.html',
  '/reference/clients/javascript.html',
  // Its links are relative to `<base href="../../guides/">`.
  '/reference/clients/legacy.html',
  '/reference/clients/python.html',
  '/reference/configuration.html',
  '/reference/errors.html',
  '/reference/expressions.html',
  '/reference/http-api.html',
  '/reference/openapi.json',
]

test('the documentation site has the pages that it is meant to have, and no dead link but one', async () => {
  const found = await referenceCrawl({ url: site.url('/') })
  const paths = [...found.pages].map((page) => page.replace(new URL(site.origin).host, '')).sort()
  expect(paths).toEqual(pages.toSorted())
  const dead = await Promise.all(
    [...found.links]
      .filter((link) => link.startsWith(site.origin))
      .map(async (link) => ((await fetch(link)).ok ? [] : link)),
  )
  expect(
    dead
      .flat()
      .map((link) => new URL(link).pathname)
      .filter((path) => !path.startsWith('/releases/')),
  ).toEqual(['/guides/windows-service.html'])
})

test('a crawl of it by trawl gives the same pages, readable', async () => {
  await using engine = createEngine({ allowPrivateNetworks: true })
  const job = engine.crawl({ url: site.url('/'), sitemap: 'skip' })
  const markdown = new Map<string, string>()
  for await (const document of job) markdown.set(new URL(document.metadata.sourceURL).pathname, document.markdown)
  expect((await job.finished()).completed).toBe(pages.length)
  expect(markdown.get('/guides/time-zones.html')).toContain('# Time zones')
  expect(markdown.get('/fr/'), 'windows-1252, as the page says').toMatch(
    /l’aide payante commence à 49\s€ par mois… «\set c’est/,
  )
  expect(markdown.get('/glossary.html')).toContain("A leader's right to lead")
})
