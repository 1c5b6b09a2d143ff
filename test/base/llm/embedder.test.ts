import { describe, expect, it } from 'vitest'
import { createEmbedder, type Embed, type EmbedContext } from '../../../src/base/llm/embedder.js'
import { ModelError } from '../../../src/base/llm/llm.js'
import type { ModelSettings } from '../../../src/base/llm/model-client.js'

const settings: ModelSettings = {
  maxConcurrency: 2,
  timeoutMs: 60_000,
  maxRetries: 2,
  backoffMs: 1,
  contextTokens: 8000,
  maxOutputTokens: 100,
  cacheBytes: 10_000,
}

const context = (given: Partial<EmbedContext> = {}): EmbedContext => ({
  purpose: 'passage',
  signal: new AbortController().signal,
  ...given,
})

const open = (embed: Embed, given: Partial<ModelSettings> = {}) => createEmbedder(embed, { ...settings, ...given })

describe('the access to `embed`', () => {
  it('gives a vector of length 1 for each text, in batches of 64, with a limit of concurrent calls', async () => {
    const calls: number[] = []
    let [running, most] = [0, 0]
    const embedder = open(async (texts, { purpose }) => {
      calls.push(texts.length)
      most = Math.max(most, (running += 1))
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return texts.map((text) => (purpose === 'query' ? [0, 0] : [Number(text) + 3, 4]))
    })
    const vectors = await embedder.embed(
      Array.from({ length: 200 }, (_, at) => `${at}`),
      context(),
    )
    expect(calls).toEqual([64, 64, 64, 8])
    expect(most).toBe(2)
    expect(vectors).toHaveLength(200)
    expect(vectors[0]).toEqual(Float32Array.of(0.6, 0.8))
    expect(Math.hypot(...(vectors[199] ?? []))).toBeCloseTo(1)
    expect(await embedder.embed(['x'], context({ purpose: 'query' }))).toEqual([Float32Array.of(0, 0)])
    expect(await embedder.embed([], context())).toEqual([])
  })

  it('retries temporary failures, and no others', async () => {
    let calls = 0
    const busy = open(async () => {
      calls += 1
      if (calls < 3) throw new ModelError('busy', { statusCode: 429, retryAfterMs: 1 })
      return [Float32Array.of(1)]
    })
    expect(await busy.embed(['a'], context())).toEqual([Float32Array.of(1)])
    calls = 0
    const broken = open(async () => {
      calls += 1
      throw new Error('no such model')
    })
    await expect(broken.embed(['a'], context())).rejects.toThrow('no such model')
    expect(calls).toBe(1)
  })

  it('ends a call that takes too long, and one that is given up', async () => {
    const signals: AbortSignal[] = []
    const hang: Embed = (_texts, { signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    await expect(open(hang, { timeoutMs: 1, maxRetries: 0 }).embed(['a'], context())).rejects.toThrow(
      '`embed` took longer than 1 ms',
    )
    const controller = new AbortController()
    const waiting = open(hang).embed(['a'], context({ signal: controller.signal }))
    controller.abort(new Error('closed'))
    await expect(waiting).rejects.toThrow('closed')
    for (const signal of signals) expect(signal.aborted).toBe(true)
  })

  it('says what is wrong with vectors that cannot be used', async () => {
    for (const [given, message] of [
      [undefined, 'gave a value of type undefined for 2 texts'],
      [[[1]], 'gave 1 vectors for 2 texts'],
      [[[1], 'x'], 'gave a vector of type string'],
      [[[1], []], 'gave a vector of 0 numbers'],
      [[[1], Array.from({ length: 20_000 }, () => 1)], 'gave a vector of 20000 numbers'],
      [[[1], [1, 2]], 'gave vectors of 1 and of 2 numbers'],
      [[[1], [NaN]], 'a value that is not a finite number'],
      [[[1], ['x']], 'a value that is not a finite number'],
    ] as const) {
      const embed = (async () => given) as unknown as Embed
      await expect(open(embed).embed(['a', 'b'], context())).rejects.toThrow(message)
    }
  })
})
