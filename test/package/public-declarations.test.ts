import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A service without the DOM library, which has the compiler look at the declarations of its libraries as well. */
const SERVICE = `
import { type Telemetry, startTelemetry } from 'trawl/opentelemetry'
import { createEngine, defineFeature, folderProfiles, type Document, type Feature, type DocumentOf, type ProfileStore } from 'trawl'

const engine = createEngine()
using telemetry: Telemetry = startTelemetry({ spans: ['job', 'fetch'] })
telemetry.stop()
const profiles: ProfileStore = folderProfiles('profiles')
const page = await engine.scrape('https://example.com', { formats: ['markdown', 'links', { type: 'chunks' }] })
const markdown: string = page.markdown
const links: string[] = page.links
const published: string | undefined = page.metadata.publishedTime
// @ts-expect-error what was not asked for may be missing
const html: string = page.html
// @ts-expect-error a name that trawl does not make is no text
const title: string = page.metadata.titel
// @ts-expect-error no such format
await engine.scrape('https://example.com', { formats: ['markdwon'] })
for await (const document of engine.crawl({ url: 'https://example.com', scrapeOptions: { formats: ['rawHtml'] } })) {
  const raw: string = document.rawHtml
  const whole: Document = document
  console.log(raw, whole)
}
// Options and metadata of features are merged into these types.
const twin = await engine.scrape('https://example.com', { markdownTwins: true })
const source: 'page' | 'link' | 'accept' | 'beside' | 'llms.txt' | undefined = twin.metadata.markdownSource
// @ts-expect-error no such option
await engine.scrape('https://example.com', { markdownTwin: true })
// A feature of the caller is checked where it is written, and a Response of the platform is an answer.
const site = defineFeature({
  name: 'site',
  fetcher: { handles: (url) => url !== '', fetch: async ({ url, signal }) => (signal.aborted ? { status: 404 } : new Response(url)) },
})
const features: Feature[] = [site]
await createEngine({ features }).close()
// @ts-expect-error a status is a number
defineFeature({ name: 'site', fetcher: { handles: () => true, fetch: () => ({ status: '200' }) } })
// @ts-expect-error no such field
createEngine({ features: [{ name: 'site', fetchers: [] }] })
// Options may be variables that are undefined, whatever the compiler of the caller keeps apart.
const perhaps = (): undefined => undefined
const [signal, limit, goal, onlyMainContent, since] = [perhaps(), perhaps(), perhaps(), perhaps(), perhaps()]
const asked = engine.crawl({ url: 'https://example.com', limit, goal, since, scrapeOptions: { onlyMainContent } }, { signal })
await asked.finished({ signal })
await asked.status({ skip: limit, limit })
createEngine({ maxConcurrency: limit, logger: perhaps(), features: perhaps() })
await engine.scrape('https://example.com', { formats: [{ type: 'json', prompt: perhaps(), schema: perhaps() }] })
for (const job of await engine.resume<DocumentOf<['markdown']>>())
  for await (const document of job) console.log(document.markdown.length)
console.log(source, profiles, markdown, links, published, html, title)
await engine.close()
`

const OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  // As TypeScript 7 has it where a project names none: the package asks for the types of Node itself.
  types: [],
  typeRoots: [join(root, 'node_modules/@types')],
  paths: {
    trawl: [join(root, 'dist/index.d.ts')],
    'trawl/opentelemetry': [join(root, 'dist/features/opentelemetry/start-telemetry.d.ts')],
    '@opentelemetry/api': [join(root, 'node_modules/@opentelemetry/api')],
  },
}

describe('the declarations of the package', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-types-'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'service.ts'), SERVICE)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['service.ts'] }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('compile without the DOM library, with every library checked, and with no types of another package', async () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const run = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--listFiles'], { maxBuffer: 2 ** 24 })
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    expect(stdout.split('\n').filter((line) => /error TS/.test(line))).toEqual([])
    const files = stdout.split('\n').filter((line) => /\.d\.[cm]?ts$/.test(line))
    expect(files.filter((file) => file.includes('/dist/')).length).toBeGreaterThan(50)
    const vendors = files.flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
    // A package named like a module of Node is loaded for the types of Node, unless a declaration of ours names it.
    const ours = await Promise.all(
      files.filter((file) => file.includes('/dist/')).map((file) => readFile(file, 'utf8')),
    )
    const named = new Set(
      ours.flatMap((text) => [...text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)].map(([, name]) => name)),
    )
    // The compiler's own libraries come as a package as well.
    const others = new Set(
      vendors.filter(
        (name) =>
          !/^(?:@types\/node|undici-types|@?typescript(?:\/.*)?)$/.test(name) && !(isBuiltin(name) && !named.has(name)),
      ),
    )
    // The entry for OpenTelemetry has the types of its peer.
    expect([...others]).toEqual(['@opentelemetry/api'])
  }, 60_000)
})
