import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as trawl from '../../src/index.js'
import { skipReasons } from '../../src/kernel/ledger/skip-reason.js'
import { blocks, codePages, compile, readDoc, writeModules } from './doc-code.js'
import { startDocSite } from './doc-site.js'
import type { Site } from '../site/site.js'

/** Every block of code is a file of its own in this folder, which is removed at the end. */
const folder = new URL('.code/', import.meta.url)

let site: Site
/** What the compiler says of all blocks together: it is started once. */
let faults: readonly string[]

beforeAll(async () => {
  site = await startDocSite()
  await writeModules(blocks, { origin: site.origin, folder, ports: [], trawl: '../../../src/index.js' })
  faults = (await compile(folder)).split('\n').filter(Boolean)
}, 120_000)

// What the examples print is of no use here.
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})

afterAll(async () => {
  vi.restoreAllMocks()
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

test('every page with code has at least one block that runs', () => {
  expect(blocks.filter(({ isRun }) => isRun).length).toBeGreaterThan(25)
})

test('the compiler finds nothing outside of the blocks', () => {
  expect(faults.filter((fault) => !blocks.some(({ name }) => fault.includes(name)))).toEqual([])
})

describe.each(codePages)('the code of %s', (page) => {
  const own = blocks.filter((block) => block.page === page)

  test('type-checks', () => {
    expect(faults.filter((fault) => own.some(({ name }) => fault.includes(`/${name}(`)))).toEqual([])
  })

  // The servers are started and asked in tests of their own.
  test.each(own.filter(({ isRun }) => isRun).map(({ name }) => name))(
    'runs: %s',
    async (name) => {
      await expect(import(new URL(name, folder).href)).resolves.toBeDefined()
    },
    60_000,
  )
})

test('docs/guides/errors.md explains every error code, and each reason for a skip', () => {
  const guide = readDoc('docs/guides/errors.md')
  const unknown = [...Object.keys(trawl.errorTable), ...skipReasons].filter((name) => !guide.includes(`\`${name}\``))
  expect(unknown).toEqual(['UNKNOWN_ERROR'])
})
