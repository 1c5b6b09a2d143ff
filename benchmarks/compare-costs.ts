import { median } from './speed/print-table.js'

/** Ratios of two sides, by processes and by rounds: rounds of the same processes are alike. */
export type Ratios = readonly (readonly number[])[]

/** How much more one side costs than another. Shares: 0.01 is 1 %. */
export interface Comparison {
  /** Median over all rounds. */
  readonly overhead: number
  /** Interval that the median lies in with a probability of 95 %, by the bootstrap over processes and their rounds. */
  readonly interval: readonly [low: number, high: number]
  /** Half of the rounds lie between these. */
  readonly quartiles: readonly [low: number, high: number]
}

/** Number of samples of the bootstrap. */
const SAMPLES = 4000

/** Compares two sides. @see https://en.wikipedia.org/wiki/Bootstrapping_(statistics) */
export function compareCosts(ratios: Ratios): Comparison {
  const draw = createDraw()
  const pick = <Item>(items: readonly Item[]): Item[] =>
    items.map(() => items[draw(items.length)]).filter((item) => item !== undefined)
  const medians = Array.from({ length: SAMPLES }, () => median(pick(ratios).flatMap(pick))).toSorted((a, b) => a - b)
  const all = ratios.flat().toSorted((a, b) => a - b)
  return {
    overhead: median(all) - 1,
    interval: [quantile(medians, 0.025) - 1, quantile(medians, 0.975) - 1],
    quartiles: [quantile(all, 0.25) - 1, quantile(all, 0.75) - 1],
  }
}

/** Says whether a comparison shows that the overhead is at most a share. */
export function judge({ interval: [low, high] }: Comparison, most: number): string {
  if (high <= most) return 'holds'
  return low > most ? 'does not hold' : 'not decided: more minutes narrow the interval'
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN

/** Creates a source of whole numbers below a bound, the same ones in each run. */
function createDraw(): (bound: number) => number {
  let state = 1
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
