import { Worker } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import type { Digest, DigestPlan } from '../../../src/content/digest/digest.js'
import type { ParserInput } from '../../../src/content/parse/parser.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'
import { endless, endlessPlan, never, ordinary, page } from './pool-pages.js'

const makePool = usePools()

describe('web hosts that share a thread', () => {
  it('take turns, so that slow pages of one host do not delay the pages of others', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 1000 })
    const order: string[] = []
    const read = (url: string, body: ParserInput, plan: DigestPlan): Promise<void> =>
      pool.digest({ ...body, url }, plan, never).then(() => void order.push(new URL(url).pathname))
    await pool.digest(ordinary, digestPlan(), never)
    await Promise.all([
      ...['/slow-1', '/slow-2', '/slow-3'].map((path) => read(`https://slow.test${path}`, endless, endlessPlan)),
      ...['/1', '/2'].map((path) => read(`https://quick.test${path}`, ordinary, digestPlan())),
      read('https://other.test/3', ordinary, digestPlan()),
    ])
    expect(order).toEqual(['/slow-1', '/1', '/3', '/slow-2', '/2', '/slow-3'])
  })

  it('have a few pages sent to the thread early only where the last page of the host was quick', async () => {
    const pool = makePool({ threads: 1 })
    const [large, small] = [page('<p>word '.repeat(30_000)), page('<p>word '.repeat(600))]
    let timeMs = 0
    const tell = async (host: string, stepMs: number): Promise<void> => {
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => (timeMs += stepMs))
      await pool.digest({ ...ordinary, url: `https://${host}/` }, digestPlan(), never)
      clock.mockRestore()
    }
    await tell('quick.test', 0)
    await tell('slow.test', 1000)
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    const countSent = async (host: string): Promise<number> => {
      const read = (at: number): Promise<Digest> =>
        pool.digest({ ...(at === 0 ? large : small), url: `https://${host}/${at}` }, digestPlan(), never)
      post.mockClear()
      const digests = Array.from({ length: 22 }, (_, at) => read(at))
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      const sent = post.mock.calls.length
      await Promise.all(digests)
      return sent
    }
    expect(await countSent('slow.test')).toBe(1)
    // One that is read, one that has its turn, and sixteen between them.
    for (let known = 0; known < 200; known += 1) await tell('quick.test', 0)
    expect(await countSent('quick.test')).toBe(18)
    post.mockRestore()
  }, 120_000)

  it('do not wait for all pages that a host sent ahead, once one of them is slow', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 2000 })
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    const known = { ...ordinary, url: 'https://hostile.test/known' }
    for (let at = 0; at < 100; at += 1) await pool.digest(known, digestPlan(), never)
    clock.mockRestore()
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    const end = vi.spyOn(Worker.prototype, 'terminate')
    const slow = Array.from({ length: 4 }, (_, at) =>
      pool.digest({ ...endless, url: `https://hostile.test/${at}` }, endlessPlan, never),
    )
    while (post.mock.calls.length < slow.length) await new Promise((resolve) => setImmediate(resolve))
    await pool.digest({ ...ordinary, url: 'https://other.test/' }, digestPlan(), never)
    // Each slow page ends a thread: the first, and one that had its turn before.
    expect(new Set(end.mock.contexts).size).toBeLessThanOrEqual(2)
    expect((await Promise.all(slow)).map(({ warnings }) => warnings.length)).toEqual([1, 1, 1, 1])
    post.mockRestore()
    end.mockRestore()
  })

  it('do not wait for an aborted page', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 2000 })
    await pool.digest(ordinary, digestPlan(), never)
    const slow = pool.digest(endless, endlessPlan, never)
    const gone = new AbortController()
    const left = pool.digest({ ...ordinary, url: 'https://gone.test/' }, digestPlan(), gone.signal)
    const after = pool.digest({ ...ordinary, url: 'https://after.test/' }, digestPlan(), never)
    await new Promise((resolve) => setImmediate(resolve))
    gone.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect((await after).fields.markdown).toContain('Hello')
    expect((await slow).warnings).toHaveLength(1)
    expect((await pool.digest(ordinary, digestPlan(), never)).warnings).toEqual([])
  })

  it('get their own pages, whatever other pages do to the thread', async () => {
    const pool = makePool({ threads: 2, maxHeapMib: 48, timeoutMs: 20_000 })
    const read = (name: string, signal = never): Promise<string> => {
      const input = { ...page(`<p>This is page ${name}.</p>`), url: `https://${name.slice(0, 1)}.test/${name}` }
      return pool.digest(input, digestPlan(), signal).then(({ fields }) => fields.markdown ?? '')
    }
    const names = Array.from({ length: 120 }, (_, at) => `${'abc'[at % 3]}${at}`)
    const pages = names.map((name) => read(name))
    const aborted = Array.from({ length: 6 }, (_, at) => {
      const body = { ...endless, url: `https://${'abc'[at % 3]}.test/endless-${at}` }
      return pool.digest(body, endlessPlan, AbortSignal.timeout(20 * at)).catch((error: unknown) => String(error))
    })
    const memory = pool.digest({ ...page('<p>word '.repeat(240_000)), url: 'https://a.test/huge' }, digestPlan(), never)
    const after = names.map((name) => read(`${name}-again`))
    expect(await Promise.all(pages)).toEqual(names.map((name) => `This is page ${name}.`))
    expect(await Promise.all(after)).toEqual(names.map((name) => `This is page ${name}-again.`))
    expect(new Set(await Promise.all(aborted))).toEqual(
      new Set(['TimeoutError: The operation was aborted due to timeout']),
    )
    expect((await memory).warnings.join()).toContain('took more memory')
  })
})
