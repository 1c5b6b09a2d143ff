import { readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as trawl from '../../src/index.js'
import { makeMp3 } from '../media/make-media.js'
import { blocks, compile, readme, writeModules } from './readme-code.js'
import type { Exchange } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'

/** The README's code as files of their own, in a folder that is taken away again. */
const folder = new URL('.readme/', import.meta.url)

const page =
  '<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content.</p><a href="/docs/a">a</a></main>'
const pages = {
  ...Object.fromEntries(['/', '/docs/', '/docs/a', '/a', '/b'].map((path) => [path, page])),
  '/episode': `${page}<audio src="/episode.mp3"></audio>`,
  '/episode.mp3': ({ response }: Exchange) => response.end(makeMp3()),
  '/search': `${page}<form><input name="q"></form><p class="results">One page has it.</p>`,
}
let site: Site

beforeAll(async () => {
  site = await startSite({ pages })
  await writeModules(blocks, { origin: site.origin, folder, ports: [], trawl: '../../../src/index.js' })
})

afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

test('the README has code', () => expect(blocks.length).toBeGreaterThan(3))

test('the README’s code type-checks', async () => expect(await compile(folder)).toBe(''), 120_000)

// Its servers are talked to in a test of their own.
test.each(blocks.map(({ name }) => name).filter((name) => name.startsWith('block-')))(
  '%s of the README’s code runs',
  async (name) => {
    await import(new URL(name, folder).href)
    expect(site.requests.length).toBeGreaterThan(0)
  },
)

test('the README explains every error code, and each reason for a skip', async () => {
  const source = await readFile(new URL('../../src/ledger/ledger.ts', import.meta.url), 'utf8')
  const reasons = Array.from(
    /type SkipReason =([^;]*?)\n\n/s.exec(source)?.[1]?.matchAll(/'(\w+)'/g) ?? [],
    ([, reason]) => reason,
  )
  expect(reasons.length).toBeGreaterThan(5)
  const unknown = [...Object.keys(trawl.errorTable), ...reasons].filter((name) => !readme.includes(`\`${name}\``))
  expect(unknown).toEqual(['UNKNOWN_ERROR'])
})
