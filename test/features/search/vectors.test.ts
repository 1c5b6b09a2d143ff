import { array, assert, double, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multiply, packVector, readPacked } from '../../../src/features/search/thread/pack-vector.js'
import { SignIndex } from '../../../src/features/search/thread/sign-index.js'

/** A generator of numbers from 0 to 1 that gives the same ones each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const unit = (numbers: readonly number[]): Float32Array => {
  const length = Math.hypot(...numbers) || 1
  return Float32Array.from(numbers, (value) => value / length)
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

describe('a packed vector', () => {
  it('keeps the cosine of two vectors within 0.01', () => {
    const vector = array(double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }).map(unit)
    assert(
      property(vector, vector, (a, b) => {
        expect(multiply(readPacked(packVector(a)), b)).toBeCloseTo(cosine(a, b), 1.7)
      }),
    )
  })

  it('is read at any place of a buffer', () => {
    const packed = packVector(Float32Array.of(0.6, -0.8))
    const moved = new Uint8Array(20)
    moved.set(packed, 3)
    const { numbers, scale } = readPacked(moved.subarray(3, 3 + packed.length))
    expect([...numbers]).toEqual([95, -127])
    expect(scale * 127).toBeCloseTo(0.8)
    expect(readPacked(packVector(new Float32Array(3)))).toEqual({ scale: 0, numbers: new Int8Array(3) })
  })
})

describe('the signs of vectors', () => {
  const DIMENSIONS = 100
  const random = seeded(7)
  const noise = (): number[] => Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5)
  // Models give vectors that have a large part in common.
  const common = noise().map((value) => 4 * value)
  const topics = Array.from({ length: 40 }, noise)
  const near = (topic: readonly number[]): Float32Array => {
    const other = noise()
    return unit(common.map((value, at) => value + (topic[at] ?? 0) + 0.7 * (other[at] ?? 0)))
  }
  const vectors = Array.from({ length: 8000 }, (_, at) => near(topics[at % topics.length] ?? []))
  const packed = vectors.map(packVector)

  const fill = (): SignIndex => {
    const signs = new SignIndex(packed.slice(0, 500), DIMENSIONS)
    for (const [at, vector] of packed.entries()) signs.add(at, vector)
    return signs
  }

  it('choose nine of the ten most similar vectors among a tenth of all', () => {
    const signs = fill()
    expect(signs.size).toBe(8000)
    let found = 0
    for (let query = 0; query < 50; query += 1) {
      const wanted = near(topics[query % topics.length] ?? [])
      const best = vectors
        .map((vector, at) => ({ at, score: cosine(vector, wanted) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 10)
      const chosen = new Set(signs.findNearest(wanted, 800))
      expect(chosen.size).toBe(800)
      found += best.filter(({ at }) => chosen.has(at)).length
    }
    expect(found / 500).toBeGreaterThan(0.9)
  })

  it('choose nearer vectors before those that are as near as the last one', () => {
    const signs = new SignIndex([packVector(new Float32Array(40))], 40)
    const withSigns = (positive: number): Uint8Array =>
      packVector(unit(Array.from({ length: 40 }, (_, at) => (at < positive ? 1 : -1))))
    for (const [at, positive] of [30, 20, 20, 20, 35, 38].entries()) signs.add(at, withSigns(positive))
    const query = unit(Array.from({ length: 40 }, () => 1))
    expect(signs.findNearest(query, 4)).toEqual([0, 1, 4, 5])
    expect(signs.findNearest(query, 6)).toEqual([0, 1, 2, 3, 4, 5])
  })
})
