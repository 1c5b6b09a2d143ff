import { findThreshold } from '../../src/extract/selection/choose-blocks.js'
import type { PageSamples } from './read-samples.js'

/** Returns the text that would be kept of a page, given the probability of each of its blocks. */
export function chooseText({ blocks }: PageSamples, probabilities: ArrayLike<number>): string {
  const units: { at: number[]; words: number; sum: number; probability: number }[] = []
  blocks.forEach(({ words, unit }, at) => {
    const known = (units[unit] ??= { at: [], words: 0, sum: 0, probability: probabilities[at] ?? 0 })
    known.at.push(at)
    known.words += words
    known.sum += words * (probabilities[at] ?? 0)
    if (known.words > 0) known.probability = known.sum / known.words
  })
  const threshold = findThreshold(units)
  return units
    .filter(({ probability }) => probability >= threshold)
    .flatMap(({ at }) => at.map((one) => blocks[one]?.text ?? ''))
    .join('\n')
}

/** Measures that the collection provides. */
export interface Metrics {
  readonly shingles: (truth: string, text: string) => object
  readonly words: (truth: string, text: string) => { readonly f: number }
  readonly segments: (want: readonly string[], unwanted: readonly string[], text: string) => object
  readonly snippetRate: (snippets: readonly string[], text: string) => number | null
  readonly totalShingles: (scores: readonly object[]) => Total
  readonly totalSegments: (scores: readonly object[]) => Total
}

interface Total {
  readonly p: number
  readonly r: number
  readonly f: number
}

/** Prints a line of figures for the texts chosen of pages: F1 of each set and of each page type. */
export function evaluateTexts(pages: readonly PageSamples[], texts: readonly string[], metrics: Metrics): string {
  const shingles: object[] = []
  const segments: object[] = []
  const words: number[] = []
  const types = new Map<string, number[]>()
  const rates: { readonly wanted: number[]; readonly unwanted: number[] } = { wanted: [], unwanted: [] }
  pages.forEach(({ page }, at) => {
    const text = texts[at] ?? ''
    if (page.set === 'aeb') shingles.push(metrics.shingles(page.text ?? '', text))
    if (page.set === 'traf') segments.push(metrics.segments(page.want, page.unwanted, text))
    if (page.set !== 'wcxb' && page.set !== 'documentation') return
    const { f } = metrics.words(page.text ?? '', text)
    types.set(page.type, [...(types.get(page.type) ?? []), f])
    if (page.set !== 'wcxb') return
    words.push(f)
    if (page.want.length > 0) rates.wanted.push(metrics.snippetRate(page.want, text) ?? 0)
    if (page.unwanted.length > 0) rates.unwanted.push(metrics.snippetRate(page.unwanted, text) ?? 0)
  })
  const aeb = metrics.totalShingles(shingles)
  const traf = metrics.totalSegments(segments)
  const byType = [...types].map(([type, scores]) => `${type} ${show(mean(scores))}`)
  return [
    `AEB ${show(aeb.f)} (${show(aeb.p)} ${show(aeb.r)})`,
    `TRAF ${show(traf.f)} (${show(traf.p)} ${show(traf.r)})`,
    `WCXB ${show(mean(words))}`,
    ...byType,
    `wanted ${show(mean(rates.wanted))} unwanted ${show(mean(rates.unwanted))}`,
  ].join(' | ')
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const show = (share: number): string => share.toFixed(3).replace(/^0/, '')
