import type { CaseScore, SetScore } from './run-scorer.js'

/** Figures by name, as in `floors.json`. */
export type Figures = Readonly<Record<string, number>>

/**
 * Bounds of figures, which tests enforce. They are edited by hand, or tightened by `npm run bench:quality -- --write`.
 */
export interface Bounds {
  /** Minimum of each figure. */
  readonly floors: Figures
  /** Maximum of each figure that counts unwanted text or errors. */
  readonly ceilings: Figures
}

/** What a run has scored. */
interface Run {
  readonly sets: readonly SetScore[]
  /** Sets that were scored without the headline. */
  readonly withoutHeadline?: readonly SetScore[]
  readonly cases?: CaseScore
}

/** Reads all figures of a run that have bounds. More is better, except for those of {@link isUnwanted}. */
export function readFigures({ sets, withoutHeadline = [], cases }: Run): Record<string, number> {
  const figures: Record<string, number> = {}
  for (const { set, f, errors, types, typeMean, with: wanted, without: unwanted, structure } of sets) {
    figures[`${set} F1`] = f
    figures[`${set} errors`] = errors
    for (const [type, score] of Object.entries(types ?? {})) figures[`${set} ${type}`] = score.f
    if (typeMean !== undefined) figures[`${set} mean of types`] = typeMean
    if (wanted !== undefined) figures[`${set} wanted snippets`] = wanted
    if (unwanted !== undefined) figures[`${set} unwanted snippets`] = unwanted
    for (const [kind, score] of Object.entries(structure ?? {})) figures[`${set} structure: ${kind}`] = score.f
  }
  for (const { set, f } of withoutHeadline) figures[`${set} F1 without the headline`] = f
  if (cases) figures['Markdown cases'] = cases.passed / cases.all
  return figures
}

/** True for a figure of which less is better. */
export const isUnwanted = (name: string): boolean => /unwanted|errors/.test(name)

/** Lists the figures outside of their bounds, one per line. Figures that were not measured are skipped. */
export function findBreaches(figures: Figures, { floors, ceilings }: Bounds): string[] {
  const seen = (name: string): number | undefined => figures[name]
  const below = Object.entries(floors).filter(([name, floor]) => (seen(name) ?? floor) < floor)
  const above = Object.entries(ceilings).filter(([name, ceiling]) => (seen(name) ?? ceiling) > ceiling)
  return [
    ...below.map(([name, floor]) => `${name} is ${print(seen(name))}, below its floor of ${floor}`),
    ...above.map(([name, ceiling]) => `${name} is ${print(seen(name))}, above its ceiling of ${ceiling}`),
  ]
}

const print = (figure: number | undefined): string => (figure ?? Number.NaN).toFixed(4)

/** Tightens the bounds to the figures, and never loosens them: a figure that got worse keeps its old bound. */
export function tighten({ floors, ceilings }: Bounds, figures: Figures): Bounds {
  const tightened = { floors: { ...floors }, ceilings: { ...ceilings } }
  for (const [name, figure] of Object.entries(figures)) {
    // Rounded to the safe side, so that a figure is never outside its own bound.
    if (isUnwanted(name))
      tightened.ceilings[name] = Math.min(ceilings[name] ?? Infinity, Math.ceil(figure * 1000 - 1e-6) / 1000)
    else tightened.floors[name] = Math.max(floors[name] ?? -Infinity, Math.floor(figure * 1000 + 1e-6) / 1000)
  }
  return tightened
}
