import { isObject } from '../../base/collections/is-object.js'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import { parseJson } from '../../base/text/parse-json.js'
import { describeReservation } from './page-statements.js'
import type { RankedStatement } from './permissions.js'
import { listTargets, matchesPattern, normalizePattern } from '../../content/robots/robots-pattern.js'

/** Rules of a `tdmrep.json`, in order. */
export type TdmrepFile = readonly TdmrepRule[]

interface TdmrepRule {
  /** The path, normalised by `normalizePattern`. */
  readonly pattern: string
  readonly location: string
  readonly reservation: string
  readonly policy: string | undefined
}

/** Maximum rules of a file. */
const MAX_RULES = 1000
/** Maximum characters of a pattern: a URL has at most 8000. */
const MAX_PATTERN_CHARACTERS = 8000

/**
 * Parses `/.well-known/tdmrep.json`. A file that is no array of rules has none, and a rule without its two required members
 * is skipped.
 *
 * @param body the file; longer ones than `policyLimits.fileBytes` are to be refused before
 * @see https://w3c.github.io/tdm-reservation-protocol/spec/ section "TDM File on the Origin Server"
 */
export function readTdmrepFile(body: Uint8Array): TdmrepFile {
  const parsed = parse(new TextDecoder().decode(body))
  if (!Array.isArray(parsed)) return []
  return parsed.slice(0, MAX_RULES).flatMap((rule: unknown): TdmrepRule[] => {
    if (!isObject(rule)) return []
    const { location, 'tdm-reservation': reservation, 'tdm-policy': policy } = rule
    const isValid = typeof location === 'string' && /^[/*]/.test(location) && location.length <= MAX_PATTERN_CHARACTERS
    if (!isValid || (typeof reservation !== 'number' && typeof reservation !== 'string')) return []
    const pattern = normalizePattern(Buffer.from(location).toString('latin1'))
    const named = typeof policy === 'string' ? policy : undefined
    return [{ pattern, location, reservation: String(reservation), policy: named }]
  })
}

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Finds what the file says about a page: by its first rule that matches. */
export async function findReservation(file: TdmrepFile, fileUrl: string, page: URL): Promise<RankedStatement[]> {
  const targets = listTargets(page)
  const index = await findRule(file, targets)
  const rule = file[index]
  const tdm = rule && describeReservation([rule.reservation], rule.policy, fileUrl)
  if (!tdm) return []
  const where = `${fileUrl} rule ${index + 1} (location ${rule.location.slice(0, 100)})`
  return [{ source: 'tdmrep.json', where, ...tdm }]
}

/** Finds the first rule that matches. @returns its index, or -1 */
async function findRule(file: TdmrepFile, targets: readonly string[]): Promise<number> {
  for (const [index, { pattern }] of file.entries()) {
    await yieldIfHeld()
    if (matchesPattern(pattern, targets)) return index
  }
  return -1
}
