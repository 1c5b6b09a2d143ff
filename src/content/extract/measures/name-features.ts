import { wordsOf } from '../blocks/name-words.js'
import type { Put } from './feature-vector.js'
import type { Region } from '../blocks/block.js'

/** Weights of the words in an element's class names and id: the log-odds that an element named so contains content. */
export interface NameWeights {
  readonly around: NameWeights | undefined
  /** Lowest and highest weight of the element's own words; `undefined` if the model knows none of them. */
  readonly worst: number | undefined
  readonly best: number | undefined
  readonly sum: number
  /** Lowest and highest weight of the element and all elements around it. */
  readonly worstOfAll: number | undefined
  readonly bestOfAll: number | undefined
}

/** Feature value if no word is known; outside the range of all weights. */
const NO_WEIGHT = 9

/** Returns a function that weighs the words of one element, given the weights of its parent. */
export function createNameScale(
  weights: ReadonlyMap<string, number>,
): (region: Region, around: NameWeights | undefined) => NameWeights {
  // Many elements of a page have the same names, and then the same list of words.
  const known = new Map<readonly string[], OwnWeights>()
  return (region, around) => {
    const words = wordsOf(region.element)
    let own = known.get(words)
    if (own === undefined) known.set(words, (own = weighWords(words, weights)))
    const { worst, best, sum } = own
    return {
      around,
      worst,
      best,
      sum,
      worstOfAll: least(worst, around?.worstOfAll),
      bestOfAll: most(best, around?.bestOfAll),
    }
  }
}

type OwnWeights = { readonly worst: number | undefined; readonly best: number | undefined; readonly sum: number }

function weighWords(words: readonly string[], weights: ReadonlyMap<string, number>): OwnWeights {
  let worst: number | undefined
  let best: number | undefined
  let sum = 0
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const weight = weights.get(word)
    if (weight === undefined || words.indexOf(word) < at) continue
    worst = least(worst, weight)
    best = most(best, weight)
    sum += weight
  }
  return { worst, best, sum }
}

/** Writes the weights of names around a block: of the two innermost elements, of the next two, and of all others. */
export function readNameFeatures(first: NameWeights, put: Put): void {
  const second = first.around
  const third = second?.around
  const fourth = third?.around
  const far = fourth?.around
  put('worstNear', least(first.worst, second?.worst) ?? NO_WEIGHT)
  put('bestNear', most(first.best, second?.best) ?? -NO_WEIGHT)
  put('worstMiddle', least(third?.worst, fourth?.worst) ?? NO_WEIGHT)
  put('bestMiddle', most(third?.best, fourth?.best) ?? -NO_WEIGHT)
  put('worstFar', far?.worstOfAll ?? NO_WEIGHT)
  put('bestFar', far?.bestOfAll ?? -NO_WEIGHT)
  put('sumOfNames', first.sum + (second?.sum ?? 0) + (third?.sum ?? 0) + (fourth?.sum ?? 0))
}

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)

const most = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)
