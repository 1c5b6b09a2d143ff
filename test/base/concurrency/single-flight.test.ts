import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../../src/base/concurrency/single-flight.js'

describe('SingleFlight', () => {
  const setUp = () => {
    const runs: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: Error) => void }[] = []
    const start = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => runs.push({ signal, resolve, reject }))
    return { runs, start, flight: new SingleFlight<string, string>(() => new Error('nobody waits')) }
  }

  it('starts one run for all callers of a key, and names the caller that started it', async () => {
    const { runs, start, flight } = setUp()
    const shares = ['one', 'two'].map((caller) => flight.join('key', { caller, start }))
    runs[0]?.resolve('result')
    expect(await Promise.all(shares.map(({ result }) => result))).toEqual(['result', 'result'])
    expect(shares.map(({ starter }) => starter)).toEqual(['one', 'one'])
    expect(runs).toHaveLength(1)
  })

  it('aborts a run once, when its last caller has disposed of its share', () => {
    const { runs, start, flight } = setUp()
    const [first, second] = ['one', 'two'].map((caller) => flight.join('key', { caller, start }))
    first?.[Symbol.dispose]()
    first?.[Symbol.dispose]()
    expect(runs[0]?.signal.aborted).toBe(false)
    second?.[Symbol.dispose]()
    expect(runs[0]?.signal.reason).toEqual(new Error('nobody waits'))
  })

  it('starts another run after one that failed', async () => {
    const { runs, start, flight } = setUp()
    const share = flight.join('key', { caller: 'one', start })
    runs[0]?.reject(new Error('broken'))
    await expect(share.result).rejects.toThrow('broken')
    flight.join('key', { caller: 'two', start })
    expect(runs).toHaveLength(2)
  })

  it('returns a finished result to a caller that accepts it, while another caller shares it', async () => {
    const { runs, start, flight } = setUp()
    const share = flight.join('key', { caller: 'one', start })
    runs[0]?.resolve('result')
    await share.result
    const accepting = flight.join('key', { caller: 'two', start, accepts: (result) => result === 'result' })
    expect(await accepting.result).toBe('result')
    flight.join('key', { caller: 'three', start })
    expect(runs).toHaveLength(2)
  })
})
