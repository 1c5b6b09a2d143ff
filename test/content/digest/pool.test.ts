import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { digest } from '../../../src/content/digest/digest.js'
import { QUICK_MS } from '../../../src/content/digest/workers/thread.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'
import { endless, endlessPlan, huge, never, ordinary, page } from './pool-pages.js'

const makePool = usePools()

describe('a digest from a worker thread', () => {
  it('equals a digest from the caller’s thread', async () => {
    const plan = digestPlan({ formats: [{ type: 'markdown' }, { type: 'links' }] })
    expect(await makePool().digest(ordinary, plan, never)).toEqual(digest(ordinary, plan))
  })

  it('leaves the caller’s bytes usable, even if they are part of a larger buffer', async () => {
    const whole = bytes(`xxxx<p>${'a'.repeat(1000)}</p>xxxx`)
    const body = whole.subarray(4, -4)
    const made = await makePool().digest({ url: pageUrl, body, contentType: 'text/html' }, digestPlan(), never)
    expect(made.fields.markdown).toBe('a'.repeat(1000))
    expect(body.length).toBe(1007)
    expect(whole[0]).toBe(120)
  })

  it('sends only the fields of the input that a digest needs', async () => {
    const fetched = { ...ordinary, headers: {}, later: () => 'functions cannot cross' }
    expect((await makePool().digest(fetched, digestPlan(), never)).fields.markdown).toContain('Hello')
  })

  it('rejects with the code of the parser’s error', async () => {
    const program = { url: pageUrl, body: bytes('\x7fELF\x02\x01\x01\0\0'), contentType: 'application/x-elf' }
    await expect(makePool().digest(program, digestPlan(), never)).rejects.toMatchObject({
      name: 'TrawlError',
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      message: 'No parser reads files of type `application/x-elf`.',
      url: pageUrl,
      retry: false,
    })
  })

  it('does not block the caller’s thread', async () => {
    const pool = makePool()
    await pool.digest(ordinary, digestPlan(), never)
    let turns = 0
    let working = true
    const count = (): void => {
      turns += 1
      if (working) setImmediate(count)
    }
    count()
    await pool.digest(huge, digestPlan(), never)
    working = false
    expect(turns).toBeGreaterThan(20)
  })
})

describe('an abort signal', () => {
  it('rejects running and waiting digests at once, with its reason', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 60_000 })
    const reasons = [new Error('first'), new Error('second')]
    const aborts = reasons.map(() => new AbortController())
    const digests = aborts.map(({ signal }) => pool.digest(endless, endlessPlan, signal))
    const ends = Promise.allSettled(digests)
    await pool.digest(ordinary, digestPlan(), AbortSignal.timeout(300)).catch(() => 'waited in vain')
    for (const [at, abort] of aborts.entries()) abort.abort(reasons[at])
    expect(await ends).toEqual(reasons.map((reason) => ({ status: 'rejected', reason })))
    expect((await pool.digest(ordinary, digestPlan(), never)).fields.markdown).toContain('Hello')
  })

  it('rejects at once if it is aborted before the start', async () => {
    const pool = makePool()
    await expect(pool.digest(ordinary, digestPlan(), AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
  })
})

describe('a small page', () => {
  const larger = page('<p>word </p>'.repeat(200))
  const read = (pool: ReturnType<typeof makePool>) => pool.digest(ordinary, digestPlan(), never)

  /** Counts the tasks that are sent to threads from now on. */
  function countTasks(): () => number {
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    onTestFinished(() => post.mockRestore())
    return () => post.mock.calls.length
  }

  it('is digested on the caller’s thread until a thread has started', async () => {
    const sent = countTasks()
    const pool = makePool({ threads: 1, inlineBytes: 1000 })
    await read(pool)
    expect(sent()).toBe(0)
    await pool.digest(larger, digestPlan(), never)
    const before = sent()
    expect((await read(pool)).fields.markdown).toContain('Hello')
    expect(sent()).toBeGreaterThan(before)
  })

  it('does not wait for a page that takes long', async () => {
    const pool = makePool({ threads: 1, inlineBytes: 1000, timeoutMs: 60_000 })
    await pool.digest(larger, digestPlan(), never)
    const abort = new AbortController()
    const slow = pool.digest(endless, endlessPlan, abort.signal)
    await new Promise((resolve) => setTimeout(resolve, 10 * QUICK_MS))
    expect((await read(pool)).fields.markdown).toContain('Hello')
    abort.abort(new Error('enough'))
    await expect(slow).rejects.toThrow('enough')
  })
})

describe('a pool without threads', () => {
  it('digests on the caller’s thread, as a pool with threads does with small pages', async () => {
    for (const options of [{ threads: 0 }, { threads: 1, inlineBytes: 1000 }]) {
      const pool = makePool(options)
      let settled = false
      const made = pool.digest(ordinary, digestPlan(), never).finally(() => (settled = true))
      // No thread can have started by the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      expect(settled).toBe(true)
      expect((await made).fields.markdown).toContain('Hello')
    }
  })

  it('digests a small page in a thread if it has costly selectors', async () => {
    const pool = makePool({ threads: 1, inlineBytes: 1e6, timeoutMs: 500 })
    const made = await pool.digest(endless, endlessPlan, never)
    expect(made.warnings[0]).toMatch(/longer than 500 ms/)
  })

  it('digests on the caller’s thread, with a warning, if the process may not start threads', () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
    const child = digestInChild([flag, '--allow-fs-read=*'])
    expect(child.stdout).toMatch(
      /^done No worker thread could be started \(.*--allow-worker.*--allow-fs-read.*copy all of `dist\/`.*This warning is given once\.\n$/,
    )
    expect(child.status).toBe(0)
  })

  it('warns once about files that are read without threads', async () => {
    const pool = makePool({ threads: 0 })
    const file = { url: pageUrl, body: Buffer.from('{\\rtf1 text\\par}'), contentType: 'application/rtf' }
    const warnings = [ordinary, file, file].map(
      async (input) => (await pool.digest(input, digestPlan(), never)).warnings,
    )
    expect(await Promise.all(warnings)).toEqual([[], [expect.stringContaining('`threads: 0`')], []])
  })

  it('stops between two steps if the caller’s signal aborts', async () => {
    const pool = makePool({ threads: 0 })
    const made = pool.digest(page('<p>word '.repeat(20_000)), digestPlan(), AbortSignal.timeout(1))
    await expect(made).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('reads a page as plain text, and rejects a file, after their timeouts between two steps', async () => {
    const pool = makePool({ threads: 0, timeoutMs: 0, fileTimeoutMs: 0 })
    const made = await pool.digest(page('<p>word '.repeat(2000)), digestPlan(), never)
    expect(made.warnings.join()).toMatch(/longer than 0 ms/)
    expect(made.fields.markdown).toContain('word')
    const file = { url: pageUrl, body: Buffer.from('{\\rtf1 text\\par}'), contentType: 'application/rtf' }
    await expect(pool.digest(file, digestPlan(), never)).rejects.toMatchObject({ code: 'SCRAPE_FILE_TOO_COMPLEX' })
  })
})

describe('closing a pool', () => {
  it('rejects running and later digests', async () => {
    const pool = makePool({ timeoutMs: 60_000 })
    await pool.digest(ordinary, digestPlan(), never)
    const under = expect(pool.digest(endless, endlessPlan, never)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await pool.close()
    await under
    await expect(pool.digest(ordinary, digestPlan(), never)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  it('rejects waiting digests', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 60_000 })
    await pool.digest(ordinary, digestPlan(), never)
    const pages = ['a', 'b', 'b', 'c'].map((host) =>
      pool.digest({ ...endless, url: `https://${host}.test/` }, endlessPlan, never),
    )
    const ends = Promise.allSettled(pages)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await pool.close()
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ENGINE_CLOSED' } })
  })

  it('is quick if no thread was started, and may be repeated', async () => {
    const pool = makePool()
    await pool.close()
    await pool.close()
  })

  it('is not required for the process to end', () => {
    const child = digestInChild()
    expect(child.stderr).toBe('')
    expect(child.stdout).toBe('done \n')
    expect(child.status).toBe(0)
  })
})

/** A process of its own that digests one page with the packed library, and prints its text and the warnings. */
function digestInChild(flags: readonly string[] = []) {
  // Larger than the pages that are read on the caller's thread while no other is ready.
  const script = `
    import { createEngine } from './dist/index.js'
    const { markdown, warning } = await createEngine({ threads: 2 }).parse({
      url: 'https://a.test/', body: Buffer.from('<p>done' + ' '.repeat(5000)), contentType: 'text/html' })
    console.log(markdown, warning ?? '')`
  return spawnSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    encoding: 'utf8',
    timeout: 25_000,
  })
}
