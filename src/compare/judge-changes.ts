import type { ChangeField } from './change-field.js'
import { compare, type PageDiff } from './compare.js'

/** Two versions of a page, with what is known of its noise. */
export interface PageVersions {
  readonly previous: string
  readonly current: string
  readonly previousAtMs: number
  readonly atMs: number
  readonly noise?: NoiseMemory | undefined
  /** Kinds of changes that are meaningful. */
  readonly fields: readonly ChangeField[]
}

/** Blocks of a page that have changed before. */
export interface NoiseMemory {
  /** Number of comparisons. */
  readonly visits: number
  /** Number of changes of each block, by a hash of its place. */
  readonly changes: Readonly<Record<string, number>>
}

/** A judged change. */
export interface JudgedChange {
  readonly field: ChangeField | 'page'
  readonly message: string
}

/** The judgement of two versions. */
export interface Judgement {
  readonly isChanged: boolean
  readonly diff?: Pick<PageDiff, 'text' | 'blocks'>
  readonly isMeaningful: boolean
  /** True if the rules do not decide. */
  readonly isDoubtful: boolean
  readonly reasons: readonly JudgedChange[]
  readonly noise: NoiseMemory
}

/** Compares two versions of a page and judges whether their difference matters. */
export function judgeChanges({ previous, current, noise = { visits: 0, changes: {} } }: PageVersions): Judgement {
  const { isChanged, diff } = compare(current, { previous, diff: true })
  return {
    isChanged,
    ...(diff && { diff: { text: diff.text, blocks: diff.blocks } }),
    isMeaningful: isChanged,
    isDoubtful: false,
    reasons: isChanged ? [{ field: 'text', message: 'the text has changed' }] : [],
    noise,
  }
}
