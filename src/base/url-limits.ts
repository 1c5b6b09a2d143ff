import { MAX_URL_CHARACTERS } from './url.js'

/** Limits of a URL. They are wide, because the trap guard stops URLs that repeat content. */
const urlLimits = {
  characters: MAX_URL_CHARACTERS,
  /** Path segments. */
  segments: 50,
  /** Consecutive occurrences of one segment; numbers are not limited. */
  inARow: 3,
  /** Occurrences of one segment in the path; numbers are not limited. */
  inPath: 5,
  /** Consecutive occurrences of a sequence of two or more segments, unless all are numbers. */
  sequences: 2,
  /** Query parameters. */
  parameters: 64,
  /** Occurrences of one parameter with one value. */
  sameParameter: 3,
} as const

/** Describes why a URL of this length is refused; undefined when it is short enough. */
export const findLengthFault = (characters: number): string | undefined =>
  characters > urlLimits.characters ? `${characters} characters are more than ${urlLimits.characters}` : undefined

/**
 * Detects URLs that grow on every page, by a relative link that is appended to the path again, or a parameter that is
 * added again. Undefined for any other URL.
 *
 * Pure: the result depends on the URL alone.
 */
export function findUrlFault(url: URL): string | undefined {
  const { segments: maxSegments, parameters: maxParameters, sameParameter, inARow } = urlLimits
  const tooLong = findLengthFault(url.href.length)
  if (tooLong !== undefined) return tooLong
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.length > maxSegments)
    return `the path has ${segments.length} segments; at most ${maxSegments} are followed`
  // What is too often needs more parts than nearly all URLs have.
  const circle = segments.length > inARow ? findRepetition(segments) : undefined
  if (circle !== undefined) return circle
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
  if (pairs.length > maxParameters)
    return `the query has ${pairs.length} parameters; at most ${maxParameters} are followed`
  if (pairs.length <= sameParameter) return undefined
  const [pair, times] = mostFrequent(pairs)
  return times > sameParameter ? `\`${pair}\` occurs ${times} times in the query` : undefined
}

/** Finds repetitions in a path, which arise when a relative link is appended to the path again on each page. */
function findRepetition(segments: readonly string[]): string | undefined {
  const { inARow, inPath, sequences } = urlLimits
  for (let length = 1; length * 2 < segments.length; length += 1) {
    const most = length === 1 ? inARow : sequences
    for (let at = length, run = 0; at < segments.length; at += 1) {
      run = segments[at] === segments[at - length] ? run + 1 : 0
      if (run < most * length) continue
      const sequence = segments.slice(at - length + 1, at + 1)
      if (!sequence.every(isNumber)) return `\`/${sequence.join('/')}\` occurs ${most + 1} times in a row in the path`
    }
  }
  const [segment, times] = mostFrequent(segments.filter((name) => !isNumber(name)))
  return times > inPath ? `\`/${segment}\` occurs ${times} times in the path` : undefined
}

const isNumber = (segment: string): boolean => /^\d+$/.test(segment)

function mostFrequent(names: readonly string[]): [name: string, times: number] {
  const counts = new Map<string, number>()
  let most: [string, number] = ['', 0]
  for (const name of names) {
    const times = (counts.get(name) ?? 0) + 1
    counts.set(name, times)
    if (times > most[1]) most = [name, times]
  }
  return most
}
