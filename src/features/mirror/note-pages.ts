import type { MirroredPages, MirrorSummary } from './mirror-change.js'

/** Pages of a kind that a summary names. */
export const MAX_NAMED = 100

/** Counts a page in a summary, and names it there, unless there are too many. */
export function notePage<Kind extends keyof MirroredPages>(
  summary: MirrorSummary,
  kind: Kind,
  page: NonNullable<MirroredPages[Kind]>[number],
): void {
  summary[kind] += 1
  summary.pages ??= {}
  const named: unknown[] = (summary.pages[kind] ??= [])
  if (named.length < MAX_NAMED) named.push(page)
}
