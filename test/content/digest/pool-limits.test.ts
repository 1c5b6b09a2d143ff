import { describe, expect, it } from 'vitest'
import { digest } from '../../../src/content/digest/digest.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'
import { endless, endlessPlan, huge, never, ordinary } from './pool-pages.js'

const makePool = usePools()

describe('a page that takes too much time or memory in a thread', () => {
  it('is returned as plain text with a warning after its timeout, without delaying other pages', async () => {
    const pool = makePool({ threads: 1, timeoutMs: 2500 })
    const [slow, ...others] = await Promise.all([
      pool.digest(endless, endlessPlan, never),
      ...Array.from({ length: 4 }, () => pool.digest(ordinary, digestPlan(), never)),
    ])
    expect(slow.warnings).toEqual(['Reading the page took longer than 2500 ms: it was read as plain text.'])
    expect(slow.fields.markdown).toMatch(/^x{5000}$/)
    for (const other of others) expect(other).toEqual(digest(ordinary, digestPlan()))
  })

  it('is returned as plain text with a warning if it takes too much memory', async () => {
    const pool = makePool({ threads: 1, maxHeapMib: 48 })
    const start = Buffer.from('<title>Words</title><a href="/next">Next</a>')
    const linked = { ...huge, body: Buffer.concat([start, huge.body]) }
    const [big, other] = await Promise.all([
      pool.digest(linked, digestPlan(), never),
      pool.digest(ordinary, digestPlan(), never),
    ])
    expect(big.warnings).toEqual(['Reading the page took more memory than a thread has: it was read as plain text.'])
    expect(big.fields.markdown).toMatch(/^Words\n\nNext\n\nword\n\nword/)
    expect(big.metadata.title).toBe('Words')
    // A crawl goes on from it.
    expect(big.links).toEqual([{ url: 'https://site.test/next', text: 'Next' }])
    expect(other).toEqual(digest(ordinary, digestPlan()))
  })

  it('is read in a thread with a larger heap if it is a file, and rejected if that is too small as well', async () => {
    const body = Buffer.from(`{\\rtf1 ${'word\\par '.repeat(100_000)}}`)
    const file = { url: pageUrl, body, contentType: 'application/rtf' }
    const limits = { threads: 1, maxHeapMib: 24, fileTimeoutMs: 120_000 }
    const read = await makePool({ ...limits, maxFileHeapMib: 512 }).digest(file, digestPlan(), never)
    expect(read.fields.markdown?.match(/word/g)).toHaveLength(100_000)
    await expect(makePool({ ...limits, maxFileHeapMib: 24 }).digest(file, digestPlan(), never)).rejects.toMatchObject({
      code: 'SCRAPE_FILE_TOO_COMPLEX',
      message: 'Reading the page took more memory than a thread has.',
    })
  })

  it('is returned with its start only if reading it as plain text takes too long as well', async () => {
    const pool = makePool({ timeoutMs: 1 })
    const made = await pool.digest(huge, digestPlan(), never)
    expect(made.fields.markdown).toMatch(/^word\n\nword/)
    expect(made.fields.markdown?.length).toBeLessThan(8193)
    expect(made.warnings[0]).toMatch(/only its start is shown/)
  })

  it('is not compared with its snapshot on the caller’s thread, where a comparison has no timeout', async () => {
    const pool = makePool({ timeoutMs: 1 })
    // Lines of one word: comparing these block by block takes minutes.
    const previous = Array.from({ length: 400_000 }, (_, n) => `other ${n}`).join('\n\n')
    const plan = { ...digestPlan(), track: { previous, diff: true, pieces: 500 } }
    const made = await pool.digest(huge, plan, never)
    expect(made.warnings[0]).toMatch(/only its start is shown/)
    expect(made.tracked).toBeUndefined()
  })

  it('is compared in a thread if the page is small and its snapshot large', async () => {
    // A fresh thread reads the page alone in less, and compares it in seconds.
    const pool = makePool({ timeoutMs: 100 })
    const previous = Array.from({ length: 400_000 }, (_, n) => `other ${n}`).join('\n\n')
    const small = { ...ordinary, body: bytes('<p>word</p>') }
    const made = await pool.digest(small, { ...digestPlan(), track: { previous, diff: true } }, never)
    expect(made.warnings[0]).toMatch(/took longer than 100 ms/)
    expect(made.fields.markdown).toBe('word')
  })

  it('has the warning even if it is a text file', async () => {
    const pool = makePool({ timeoutMs: 1 })
    const text = { url: pageUrl, body: bytes('word '.repeat(2_000_000)), contentType: 'text/markdown' }
    const made = await pool.digest(text, digestPlan(), never)
    expect(made.fields.markdown?.length).toBeLessThan(8193)
    expect(made.warnings).toEqual(['Reading the page took longer than 1 ms; only its start is shown.'])
  })
})
