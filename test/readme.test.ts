import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as trawl from '../src/index.js'
import { makeMp3 } from './media/make-media.js'
import type { Exchange } from './site/exchange.js'
import { startSite, type Site } from './site/site.js'

/** The README's code as files of their own, in a folder that is taken away again. */
const folder = new URL('.readme/', import.meta.url)
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const blocks = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code)

const page =
  '<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content.</p><a href="/docs/a">a</a></main>'
const pages = {
  ...Object.fromEntries(['/', '/docs/', '/docs/a', '/a', '/b'].map((path) => [path, page])),
  '/episode': `${page}<audio src="/episode.mp3"></audio>`,
  '/episode.mp3': ({ response }: Exchange) => response.end(makeMp3()),
  '/search': `${page}<form><input name="q"></form><p class="results">One page has it.</p>`,
}
let site: Site
let port: number

/** A block as a module: what it leaves to the reader is given, and what it names on the web is the local site. */
const asModule = (code: string): string =>
  `${code.includes('createEngine') && !code.includes('import {') ? "import { createEngine } from 'trawl'\n" : ''}
${code.includes('save(') ? 'const save = async (url: string, markdown: string): Promise<void> => void [url, markdown]\n' : ''}
${code}
export {}`
    .replaceAll("'trawl'", "'../../src/index.js'")
    .replaceAll('https://example.com', site.origin)
    .replaceAll("'./pages'", JSON.stringify(new URL('pages', folder).pathname))
    .replaceAll("'./files'", JSON.stringify(new URL('files', folder).pathname))
    .replaceAll("'crawl.db'", JSON.stringify(new URL('crawl.db', folder).pathname))
    .replaceAll(/createEngine\((?:\{ (.*?) \})?\)/g, 'createEngine({ allowPrivateNetworks: true, $1 })')
    .replaceAll('3002', String(port))

const fileOf = (index: number): URL => new URL(`block-${index}.ts`, folder)

/** One of the system's own choice: fetch refuses some of the low ones. */
const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

beforeAll(async () => {
  site = await startSite({ pages })
  port = await findFreePort()
  await mkdir(folder, { recursive: true })
  await Promise.all(blocks.map((code, index) => writeFile(fileOf(index), asModule(code))))
})

afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

test('the README has code', () => expect(blocks.length).toBeGreaterThan(3))

test('the README’s code type-checks', async () => {
  const config = { extends: '../../tsconfig.json', compilerOptions: { noUnusedLocals: false }, include: ['*.ts'] }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(config))
  const tsc = new URL('../node_modules/typescript/bin/tsc', import.meta.url).pathname
  const checked = promisify(execFile)(process.execPath, [tsc, '-p', new URL('tsconfig.json', folder).pathname])
  const problems = await checked.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
  expect(problems).toBe('')
})

test.each(blocks.flatMap((code, index) => (code.includes('createServer') ? [] : [index])))(
  'code block %i of the README runs',
  async (index) => {
    await import(fileOf(index).href)
    expect(site.requests.length).toBeGreaterThan(0)
  },
)

test('the README’s server speaks the interface', async () => {
  const index = blocks.findIndex((code) => code.includes('createServer'))
  await writeFile(fileOf(index), `${asModule(blocks[index] ?? '')}\nexport { engine, server }`)
  const { engine, server } = (await import(fileOf(index).href)) as { engine: trawl.Engine; server: AsyncDisposable }
  const base = `http://127.0.0.1:${port}/v2/crawl`
  const post = (body: unknown) => fetch(base, { method: 'POST', body: JSON.stringify(body) })

  const started = (await (await post({ url: site.url('/docs/') })).json()) as {
    success: boolean
    id: string
    url: string
  }
  expect(started).toEqual({ success: true, id: expect.any(String), url: `${base}/${started.id}` })
  await engine.job(started.id)?.finished()
  expect(await (await fetch(started.url)).json()).toMatchObject({ status: 'completed', completed: 2, total: 2 })

  const refused = await post({ url: 'ftp://x.test', limits: 3 })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    success: false,
    code: 'BAD_REQUEST',
    details: expect.arrayContaining([expect.objectContaining({ path: ['url'] })]),
  })
  expect((await fetch(`${base}/no-such-job`)).status).toBe(404)
  await engine.close()
  await server[Symbol.asyncDispose]()
})

test('the README explains every error code, and each reason for a skip', async () => {
  const source = await readFile(new URL('../src/ledger/ledger.ts', import.meta.url), 'utf8')
  const reasons = Array.from(
    /type SkipReason =([^;]*?)\n\n/s.exec(source)?.[1]?.matchAll(/'(\w+)'/g) ?? [],
    ([, reason]) => reason,
  )
  expect(reasons.length).toBeGreaterThan(5)
  const unknown = [...Object.keys(trawl.errorTable), ...reasons].filter((name) => !readme.includes(`\`${name}\``))
  expect(unknown).toEqual(['UNKNOWN_ERROR'])
})
