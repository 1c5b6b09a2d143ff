import type { Growth, Pattern } from './patterns.js'

/** A pattern that takes longer is not decided. Milliseconds. */
const MAX_MS = 10_000

/** How a pattern's time grows, by what a checker of regular expressions finds. */
export async function measureGrowth({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<Growth> {
  // The other ways start a process that outlives the test.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { check } = await import('recheck')
  const found = await check(source, flags, { timeout: MAX_MS }).catch(() => undefined)
  if (found === undefined || found.status === 'unknown') return 'unknown'
  const { complexity } = found
  return complexity.type === 'polynomial' ? complexity.degree : complexity.type === 'exponential' ? Infinity : 1
}
