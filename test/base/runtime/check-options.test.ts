import { describe, expect, it } from 'vitest'
import * as trawl from '../../../src/index.js'
import { messageOf, toTrawlError } from '../../../src/base/errors.js'

type Make = (...given: unknown[]) => unknown
const { sqlite, memoryLedger, fileStore, fileCache, memoryStore, memoryCache, keyvStore, keyvCache, storeCache } =
  trawl as unknown as Record<string, Make>
const { index, folderProfiles, storeProfiles, tesseractOcr, ytDlp, openAiCompatible } = trawl as unknown as Record<
  string,
  Make
>
const { aiSdk, postgres, postgresStore, createToolkit, tools, mcpServer, readStoredJob } = trawl as unknown as Record<
  string,
  Make
>
const server = 'postgres://user:secret@host/database'

const messageFrom = (make: Make | undefined, ...given: unknown[]): string => {
  try {
    make?.(...given)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return messageOf(error)
  }
  return 'made'
}

describe('a public function with options', () => {
  it.each<[string, Make | undefined, unknown[], string]>([
    ['sqlite', sqlite, [{ file: 'x.db' }], "`sqlite(file)`: an object is not the path of a file, such as 'crawl.db'"],
    ['sqlite', sqlite, [], "`sqlite(file)`: undefined is not the path of a file, such as 'crawl.db'"],
    [
      'sqlite',
      sqlite,
      [':memory:'],
      '`sqlite(file)`: ":memory:" is not the path of a file: `memoryLedger()` keeps jobs in memory',
    ],
    [
      'index',
      index,
      [':memory:'],
      '`index(path)`: ":memory:" is not the path of a file: `index: true` keeps the index',
    ],
    ['memoryLedger', memoryLedger, [{ spillTo: {} }], '`memoryLedger({ spillTo })`: an object is not the path'],
    ['memoryLedger', memoryLedger, [{ spill: '/tmp' }], 'unknown option "spill": allowed are spillTo, maxBytes'],
    ['memoryStore', memoryStore, [5], '`memoryStore`: 5 is not an object of the options maxBytes'],
    [
      'memoryCache',
      memoryCache,
      [{ maxBytes: '1' }],
      '`memoryCache({ maxBytes })`: "1" is not a number of bytes from 1',
    ],
    ['fileStore', fileStore, ['pages'], '`fileStore`: "pages" is not an object of the options folder, maxBytes, now'],
    ['fileStore', fileStore, [{ folder: {} }], '`fileStore({ folder })`: an object is not the path of a folder'],
    ['fileCache', fileCache, [{}], '`fileCache({ folder })`: undefined is not the path of a folder'],
    ['keyvStore', keyvStore, ['redis://'], '`keyvStore(keyv)`: "redis://" is not a Keyv: it needs `get`'],
    ['keyvCache', keyvCache, [new Map(), { ttlMs: {} }], '`keyvCache({ ttlMs })`: an object is not a number of mill'],
    ['storeCache', storeCache, [{}], '`storeCache(store)`: an object is not a store: it needs `get`'],
    ['storeProfiles', storeProfiles, [{ get() {} }], '`storeProfiles(store)`: an object is not a store: it needs'],
    ['folderProfiles', folderProfiles, [{ folder: 'x' }], '`folderProfiles(folder)`: an object is not the path'],
    ['tesseractOcr', tesseractOcr, [{ languages: 'eng' }], '"eng" is not a list of languages'],
    ['ytDlp', ytDlp, [{ executablePath: {} }], '`ytDlp({ executablePath })`: an object is not the name or the path'],
    ['openAiCompatible', openAiCompatible, [], '`openAiCompatible`: undefined is not an object of the options baseUrl'],
    [
      'openAiCompatible',
      openAiCompatible,
      [{ baseUrl: 'http://x/', model: {} }],
      'an object is not the name of a model',
    ],
    [
      'openAiCompatible',
      openAiCompatible,
      [{ baseUrl: 'ftp://user:secret@x/', model: 'm' }],
      '`openAiCompatible({ baseUrl })`: a URL of `ftp:` is not an http or https URL',
    ],
    ['openAiCompatible', openAiCompatible, [{ baseUrl: '', model: 'm' }], 'a text that is no URL is not an http or'],
    ['aiSdk', aiSdk, [], '`aiSdk(model)`: undefined is not a language model of the AI SDK'],
    ['aiSdk', aiSdk, ['openai/gpt-5'], '"openai/gpt-5" is not a language model of the AI SDK, such as `openai('],
    ['aiSdk', aiSdk, [{ doGenerate: 5 }], 'it needs `doGenerate`'],
    ['postgres', postgres, [{}], '`postgres`: one of `connectionString` and `pool` is needed, and neither was given'],
    ['postgres', postgres, [{ connectionString: server, pool: {} }], 'is needed, and both were given'],
    ['postgres', postgres, [{ pool: [] }], '`postgres({ pool })`: a list of 0 is not a `Pool`'],
    ['postgresStore', postgresStore, [{}], '`postgresStore`: one of `connectionString` and `pool` is needed, and nei'],
    ['postgresStore', postgresStore, [{ connectionString: server, pool: {} }], 'is needed, and both were given'],
    ['postgresStore', postgresStore, [{ pool: [] }], '`postgresStore({ pool })`: a list of 0 is not a `Pool`'],
    [
      'createToolkit',
      createToolkit,
      [],
      '`engine`: undefined is not the result of `createEngine()`: it needs `scrape`',
    ],
    ['tools', tools, [{}], '`engine`: an object is not the result of `createEngine()`'],
    ['mcpServer', mcpServer, ['engine'], '`engine`: "engine" is not the result of `createEngine()`'],
  ])('%s refuses an invalid value at the call, and names the value', (_, make, given, message) => {
    const said = messageFrom(make, ...given)
    expect(said).toContain(message)
    expect(said).not.toContain('[object')
    expect(said).not.toContain('secret')
  })

  it('shows no secret in its errors', () => {
    const options = { baseUrl: 'http://x/', model: 'm', apiKey: ['sk-secret'], headers: { 'x-key': 5 } }
    expect(messageFrom(openAiCompatible, options)).toBe('`openAiCompatible({ apiKey })`: a list of 1 is not a string')
  })

  it('is asynchronous and refuses what is no ledger', async () => {
    const read = readStoredJob as (ledger?: unknown) => Promise<unknown>
    await expect(read()).rejects.toThrow('`readStoredJob(ledger)`: undefined is not a ledger, such as `sqlite(file)`')
    await expect(read('crawl.db')).rejects.toThrow('"crawl.db" is not a ledger')
  })

  it('accepts allowed values', () => {
    expect(messageFrom(memoryStore, { maxBytes: Infinity })).toBe('made')
    expect(messageFrom(memoryCache, { maxBytes: 0.5 * 1024 ** 2 + 0.5 })).toBe('made')
    expect(messageFrom(keyvCache, new Map(), { prefix: '', ttlMs: undefined })).toBe('made')
    expect(messageFrom(keyvCache, new Map(), { ttlMs: 30 * 24 * 60 * 60 * 1000 })).toBe('made')
    expect(messageFrom(keyvStore, new Map(), { ttlMs: 0 })).toBe('made')
    expect(
      messageFrom(
        keyvStore,
        Object.assign(() => 0, { get() {}, set() {}, delete() {} }),
      ),
    ).toBe('made')
    expect(messageFrom(ytDlp, { proxy: '', maxConcurrency: Infinity })).toBe('made')
    expect(messageFrom(ytDlp, { proxy: '127.0.0.1:3128' })).toBe('made')
  })

  it('reads settings that are an instance of a class', () => {
    class Settings {
      get folder(): string {
        return './pages'
      }
      get maxBytes(): unknown {
        return 'many'
      }
    }
    expect(messageFrom(fileStore, new Settings())).toContain('`fileStore({ maxBytes })`: "many" is not')
  })
})

describe('a thrown value', () => {
  it('has a message even if it is not an error', () => {
    const thrown = [new Error('a'), 'b', { message: 'c' }, { code: 1 }, Object.create(null), [1], 5, undefined]
    expect(thrown.map(messageOf)).toEqual([
      'a',
      'b',
      'c',
      'an object was thrown, and no error',
      'an object was thrown, and no error',
      'a list of 1 was thrown, and no error',
      '5 was thrown, and no error',
      'undefined was thrown, and no error',
    ])
    expect(toTrawlError({ code: 1 })).toMatchObject({ code: 'UNKNOWN_ERROR', cause: { code: 1 } })
  })

  it('is the error in the status of a job whose ledger throws it', async () => {
    const memory = trawl.memoryLedger()
    const thrown = AbortSignal.abort({ message: 'no room' })
    const ledger: trawl.Ledger = {
      ...memory,
      async open(jobId, rules) {
        thrown.throwIfAborted()
        return memory.open(jobId, rules)
      },
    }
    await using engine = trawl.createEngine({ ledger })
    const status = await engine.crawl({ url: 'http://127.0.0.1:1/' }).finished()
    expect(status).toMatchObject({ status: 'failed', error: 'no room' })
  })
})
