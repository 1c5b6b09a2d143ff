import { MAX_URL_CHARACTERS } from '../../url.js'

/** Bounds on what a URL may look like: wide ones, for what repeats its contents is ended by the trap guard. */
export const urlLimits = {
  characters: MAX_URL_CHARACTERS,
  /** Segments of the path. */
  segments: 50,
  /** Times that one segment may follow itself; a number may do so as often as it likes. */
  inARow: 3,
  /** Times that one segment may stand anywhere in the path; again, a number may stand there more often. */
  inPath: 5,
  /** Times that a sequence of two or more segments may follow itself, if it is not all numbers. */
  sequences: 2,
  /** Parameters of the query. */
  parameters: 64,
  /** Times that one parameter may stand there with one value. */
  sameParameter: 3,
} as const

/** Describes why a URL of this length is refused; undefined when it is short enough to be looked at. */
export const findLengthFault = (characters: number): string | undefined =>
  characters > urlLimits.characters ? `${characters} characters are more than ${urlLimits.characters}` : undefined

/**
 * What in a URL shows that links lead in circles: a relative link that nests into itself, a parameter added again by
 * every page. Undefined when nothing does.
 *
 * Pure: the same URL always gets the same answer, before anything is known of its site.
 */
export function findUrlFault(url: URL): string | undefined {
  const { segments: maxSegments, parameters: maxParameters, sameParameter } = urlLimits
  const tooLong = findLengthFault(url.href.length)
  if (tooLong !== undefined) return tooLong
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.length > maxSegments)
    return `the path has ${segments.length} segments; at most ${maxSegments} are followed`
  const circle = findCircle(segments)
  if (circle !== undefined) return circle
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
  if (pairs.length > maxParameters)
    return `the query has ${pairs.length} parameters; at most ${maxParameters} are followed`
  const [pair, times] = mostFrequent(pairs)
  return times > sameParameter ? `\`${pair}\` stands in the query ${times} times` : undefined
}

/** What repeats in a path so that a relative link must be nesting into itself. */
function findCircle(segments: readonly string[]): string | undefined {
  const { inARow, inPath, sequences } = urlLimits
  for (let length = 1; length * 2 < segments.length; length += 1) {
    const most = length === 1 ? inARow : sequences
    for (let at = length, run = 0; at < segments.length; at += 1) {
      run = segments[at] === segments[at - length] ? run + 1 : 0
      if (run < most * length) continue
      const sequence = segments.slice(at - length + 1, at + 1)
      if (!sequence.every(isNumber)) return `\`/${sequence.join('/')}\` follows itself in the path ${most + 1} times`
    }
  }
  const [segment, times] = mostFrequent(segments.filter((name) => !isNumber(name)))
  return times > inPath ? `\`/${segment}\` stands in the path ${times} times` : undefined
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
