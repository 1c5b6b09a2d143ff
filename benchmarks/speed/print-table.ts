import type { Measurement } from './measure.js'

/** One of the compared crawlers. The first one is the reference for the others. */
export interface Side {
  readonly name: string
  readonly script: string
  readonly flags: readonly string[]
}

interface Row {
  readonly title: string
  readonly read: (measurement: Measurement) => number
  readonly digits: number
}

const rows: readonly Row[] = [
  { title: 'pages', read: ({ urls }) => urls.length, digits: 0 },
  { title: 'pages/s', read: ({ urls, seconds }) => urls.length / seconds, digits: 0 },
  { title: 'processor time, ms/page', read: ({ urls, cpuSeconds }) => (cpuSeconds / urls.length) * 1000, digits: 1 },
  { title: 'peak memory, MiB', read: ({ peakBytes }) => peakBytes / 2 ** 20, digits: 0 },
  { title: 'event loop delay p50, ms', read: ({ delayMs }) => delayMs.p50, digits: 1 },
  { title: 'event loop delay p99, ms', read: ({ delayMs }) => delayMs.p99, digits: 1 },
  { title: 'event loop delay max, ms', read: ({ delayMs }) => delayMs.max, digits: 0 },
]

/** Prints a Markdown table of medians, with a column for each side and its ratio to the first one. */
export function printTable(results: ReadonlyMap<Side, readonly Measurement[]>): string {
  const [first, ...others] = [...results.values()]
  const sides = [...results.keys()].map(({ name }) => name)
  const lines = rows.map(({ title, read, digits }) => {
    const against = median((first ?? []).map(read))
    const cells = others.map((measurements) => {
      const value = median(measurements.map(read))
      return `${value.toFixed(digits)}${printRatio(value, against)}`
    })
    return `| ${[title, against.toFixed(digits), ...cells].join(' | ')} |`
  })
  const rule = `| --- |${sides.map(() => ' ---: |').join('')}`
  return [`| | ${sides.join(' | ')} |`, rule, ...lines].join('\n')
}

/** Prints the ratio of a value to the reference; empty if the reference is nearly 0, where a ratio means nothing. */
const printRatio = (value: number, against: number): string =>
  against < 1 ? '' : ` (× ${(value / against).toFixed(2)})`

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}
