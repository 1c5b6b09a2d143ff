import { isCjk } from '../layout/join-runs.js'
import type { Run } from '../page-text.js'

/** Runs in lines from left to right, and those in lines from top to bottom, as if these were rotated by a quarter. */
interface DirectedRuns {
  readonly rest: Run[]
  readonly vertical: Run[]
}

/** Minimum number of characters below each other that are a line from top to bottom. Headings of narrow columns are shorter. */
const MIN_LENGTH = 4
/** Minimum and maximum distance of such characters, in font sizes. Rows of a table are further apart. */
const [MIN_STEP, MAX_STEP] = [0.7, 1.35]
/** Maximum distance of their middles from a straight line, in font sizes. */
const MAX_SHIFT = 0.25
/** Maximum number of characters beside each other in such a line, such as a number. */
const MAX_BESIDE = 3
/** Distance of the foot of Latin letters from the left of such a line, in font sizes. */
const FOOT = 0.12

/**
 * Takes the lines of Chinese and Japanese text from top to bottom out of the runs of a page, in drawing order. Word processors and
 * browsers draw them character by character, in fonts for lines from left to right.
 */
export function takeVertical(runs: readonly Run[]): DirectedRuns {
  const chains = chainsOf(runs)
  const isLine = chains.map((chain) => chain.length >= MIN_LENGTH && isCjkChain(chain))
  if (!isLine.includes(true)) return { rest: [...runs], vertical: [] }
  // The last line of a paragraph can be shorter.
  const isVertical = chains.map(
    (chain, at) =>
      isLine[at] === true || [at - 1, at + 1].some((beside) => isLine[beside] && isRest(chain, chains[beside])),
  )
  const [rest, vertical]: [Run[], Run[]] = [[], []]
  chains.forEach((chain, at) => {
    for (const run of chain) {
      if (isVertical[at] === true) vertical.push(turn(run))
      else rest.push(run)
    }
  })
  return { rest, vertical }
}

const middleOf = ({ left, right }: Run): number => (left + right) / 2

/** Groups runs that are drawn one below the other. */
function chainsOf(runs: readonly Run[]): Run[][] {
  const chains: Run[][] = []
  for (const run of runs) {
    const chain = chains.at(-1)
    const last = chain?.at(-1)
    if (chain !== undefined && last !== undefined && isBelow(last, run)) chain.push(run)
    else chains.push([run])
  }
  return chains
}

function isBelow(last: Run, run: Run): boolean {
  if (run.text.length > MAX_BESIDE || last.text.length > MAX_BESIDE || run.isRtl) return false
  const size = Math.max(last.size, run.size)
  const step = run.y - last.y
  // Latin words of the line are rotated, and not among these runs.
  const most = run.order - last.order > 2 ? 12 * size : MAX_STEP * size
  return (
    Math.abs(run.size - last.size) < 0.1 * size &&
    step > MIN_STEP * size &&
    step < most &&
    Math.abs(middleOf(run) - middleOf(last)) < MAX_SHIFT * size
  )
}

const isCjkChain = (chain: readonly Run[]): boolean =>
  chain.filter(({ text }) => isCjk(text)).length > 0.5 * chain.length &&
  chain.every(({ text }) => text.trim().length > 0)

/** Tests if a few characters are the rest of a line beside: Chinese or Japanese, of the same size, at its height. */
function isRest(chain: readonly Run[], line: readonly Run[] | undefined): boolean {
  const [own, first, last] = [chain[0], line?.[0], line?.at(-1)]
  if (own === undefined || first === undefined || last === undefined || !isCjkChain(chain)) return false
  const isAlike =
    Math.abs(own.size - first.size) < 0.1 * first.size && chain.every(({ text }) => text.length <= MAX_BESIDE)
  return isAlike && own.y > first.y - 2 * first.size && own.y < last.y + 2 * last.size
}

/** Places a run as if the page were rotated by a quarter to the left. */
const turn = (run: Run): Run => ({
  ...run,
  left: run.y - 0.88 * run.size,
  right: run.y + 0.12 * run.size,
  y: -(middleOf(run) - (0.5 - FOOT) * run.size),
  isUnplaced: true,
})
