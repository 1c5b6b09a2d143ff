import { describe, expect, it } from 'vitest'
import type { PageBlocks } from '../../../src/features/boilerplate/repeated-block.js'
import { BoilerplateLearner, type SampledPage } from '../../../src/features/boilerplate/boilerplate-learner.js'

/** Blocks by number. A negative one shares its position with others. */
const blocks = (whole: number, ...hashes: number[]): PageBlocks => ({ whole, hashes: Float64Array.from(hashes) })

const hashesOf = (learner: BoilerplateLearner, sample: SampledPage): number[] | undefined =>
  learner.blocksFor(sample)?.flatMap(({ hashes }) => [...hashes])

/** A learner with this many started pages of one folder. */
function begin(count: number, folder = '/docs/'): { learner: BoilerplateLearner; samples: SampledPage[] } {
  const learner = new BoilerplateLearner()
  const samples = Array.from({ length: count }, (_, i) =>
    learner.addPage(new URL(`http://site.test${folder}page-${i}`), 0),
  )
  return { learner, samples }
}

const unique = (hashes: readonly number[] | undefined): number[] => [...new Set(hashes)].toSorted((a, b) => a - b)

describe('the boilerplate learner', () => {
  it('learns the blocks on four fifths of the first five pages, once all of them have ended', () => {
    const { learner, samples } = begin(5)
    const said = [
      [1, 2, 3],
      [1, 2, 3],
      [1, 2],
      [1, -2],
      [1, 9],
    ]
    for (const [i, sample] of samples.entries()) {
      expect(learner.blocksFor(sample)).toBeUndefined()
      learner.endPage(sample, blocks(i, ...(said[i] ?? []), 100 + i))
    }
    for (const sample of samples) expect(unique(hashesOf(learner, sample))).toEqual([-2, 1])
    expect(learner.blocksFor(samples[0] as SampledPage)?.map(({ reason }) => reason)).toContain(
      'repeats on 5 of 5 pages of site.test/docs/*',
    )
  })

  it('learns the same blocks in any order of arrival', () => {
    const said = (i: number): PageBlocks => blocks(i, 1, ...(i % 3 === 0 ? [] : [2]), ...(i > 9 ? [3] : []), 100 + i)
    const plansFor = (order: readonly number[]): unknown => {
      const { learner, samples } = begin(order.length)
      for (const i of order) learner.endPage(samples[i] as SampledPage, said(i))
      learner.settle()
      return samples.map((sample) => unique(hashesOf(learner, sample)))
    }
    // Each page arrives up to eight positions late.
    const arrival = (i: number, seed: number): number => i + ((i * 31 + seed * 17) % 9)
    const all = Array.from({ length: 47 }, (_, i) => i)
    const orders = Array.from({ length: 20 }, (_, seed) => all.toSorted((a, b) => arrival(a, seed) - arrival(b, seed)))
    const inOrder = plansFor(all)
    for (const order of orders) expect(plansFor(order)).toEqual(inOrder)
  })

  it.each([[[3]], [[0, 1, 2, 3]], [[12, 40]]])('learns the same with pages %j ten times as slow as others', (slow) => {
    const plansFor = (durations: readonly number[]): unknown => {
      const learner = new BoilerplateLearner()
      const samples: SampledPage[] = []
      const ends: number[] = []
      const ended = new Set<number>()
      // Ten pages at once.
      for (let now = 0; ended.size < durations.length; now += 1) {
        for (
          ;
          samples.length < Math.min(durations.length, ended.size + 10);
          ends.push(now + (durations[ends.length] ?? 1))
        )
          samples.push(learner.addPage(new URL(`http://site.test/docs/page-${samples.length}`), now))
        for (const [i, sample] of samples.entries()) {
          if (ended.has(i) || (ends[i] ?? 0) > now) continue
          learner.endPage(sample, blocks(i, 1, ...(i % 5 === 4 ? [] : [2]), 100 + i))
          ended.add(i)
        }
      }
      learner.settle()
      return samples.map((sample) => unique(hashesOf(learner, sample)))
    }
    const durations = Array.from({ length: 150 }, () => 1)
    expect(plansFor(durations.map((each, i) => (slow.includes(i) ? 10 : each)))).toEqual(plansFor(durations))
  })

  it('drops blocks that no longer repeat, and learns blocks that begin to repeat', () => {
    const { learner, samples } = begin(41)
    for (const [i, sample] of samples.entries()) learner.endPage(sample, blocks(i, i < 20 ? 1 : 2, 100 + i))
    expect(unique(hashesOf(learner, samples[19] as SampledPage))).toEqual([1])
    expect(unique(hashesOf(learner, samples[40] as SampledPage))).toEqual([2])
  })

  it('learns nothing from fewer than four different pages', () => {
    const { learner, samples } = begin(5)
    for (const [i, sample] of samples.entries()) learner.endPage(sample, blocks(Math.min(i, 2), 1))
    learner.settle()
    for (const sample of samples) expect(hashesOf(learner, sample)).toEqual([])
  })

  it('waits for at most sixteen later pages when the pages of a folder are found slowly', () => {
    const learner = new BoilerplateLearner()
    const lone = learner.addPage(new URL('http://site.test/lone/a'), 0)
    learner.endPage(lone, blocks(0, 1))
    const others = Array.from({ length: 16 }, (_, i) =>
      learner.addPage(new URL(`http://site.test/of-${i % 26}x${'abcdefghijklmnopqrs'[i]}/a`), 0),
    )
    for (const [i, sample] of others.entries()) {
      if (i < 15) expect(learner.blocksFor(lone)).toBeUndefined()
      learner.endPage(sample, blocks(i + 1, i + 50))
    }
    expect(hashesOf(learner, lone)).toEqual([])
  })

  it('does not wait for a page when many later pages have ended before it', () => {
    const { learner, samples } = begin(102)
    const [slow, first] = samples as [SampledPage, SampledPage, ...SampledPage[]]
    for (const sample of samples.slice(12)) learner.endPage(sample)
    learner.endPage(first, blocks(1, 1))
    expect(slow.overtaken).toBe(91)
    expect(learner.pending()).toHaveLength(11)
    for (const [i, sample] of samples.slice(2, 12).entries()) learner.endPage(sample, blocks(i + 2, 1))
    expect(unique(hashesOf(learner, first))).toEqual([1])
    expect(learner.pending()).toEqual([])
  })

  it('does not wait for pages that ended without a sample, nor for any page after `settle`', () => {
    const { learner, samples } = begin(5)
    const [slow, ...rest] = samples as [SampledPage, ...SampledPage[]]
    for (const [i, sample] of rest.entries()) learner.endPage(sample, blocks(i, 1))
    expect(slow.overtaken).toBe(4)
    expect(learner.blocksFor(rest[0] as SampledPage)).toBeUndefined()
    learner.endPage(slow)
    expect(unique(hashesOf(learner, rest[0] as SampledPage))).toEqual([1])
    // Its sample comes too late.
    learner.endPage(slow, blocks(9, 7))
    const more = begin(2)
    more.learner.settle()
    expect(hashesOf(more.learner, more.samples[0] as SampledPage)).toEqual([])
  })
})
