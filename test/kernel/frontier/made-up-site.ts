import { takeFingerprint } from '../../../src/base/text/fingerprint/similarity.js'
import { NearDuplicates } from '../../../src/base/text/fingerprint/near-duplicates.js'
import { Novelty } from '../../../src/kernel/frontier/duplicates/novelty.js'
import { TrapGuard } from '../../../src/kernel/frontier/duplicates/trap-guard.js'
import { findUrlFault } from '../../../src/base/url-limits.js'

/** A page of a generated site: its main text, and the paths that it links to. */
export interface MadeUpPage {
  readonly text: string
  readonly links: readonly string[]
}

/** Response of a site for a path; undefined when there is no page. */
export type MadeUpSite = (path: string) => MadeUpPage | undefined

/** Result of a crawl of a generated site. */
export interface Crawled {
  /** Fetched paths, in order. */
  readonly fetched: readonly string[]
  /** Paths refused by the guard. */
  readonly refused: readonly string[]
  /** Last message of the guard. */
  readonly message: string | undefined
  /** True when the crawl ended by itself. */
  readonly ended: boolean
}

/**
 * Crawls a site as a job does: breadth first, each path once, checking the URL limits first and the guard just before
 * the page.
 */
export function crawl(site: MadeUpSite, { start = '/', most = 20_000 } = {}): Crawled {
  const guard = new TrapGuard()
  const novelty = new Novelty()
  const duplicates = new NearDuplicates()
  const known = new Set([start])
  const queue: { path: string; foundOn?: string }[] = [{ path: start }]
  const fetched: string[] = []
  const refused: string[] = []
  let message: string | undefined
  for (let next = 0; next < queue.length && fetched.length < most; next += 1) {
    const { path = '/', foundOn } = queue[next] ?? {}
    const url = new URL(path, 'https://example.com').href
    const row = foundOn === undefined ? { url } : { url, foundOn }
    const fault = findUrlFault(new URL(url)) ?? guard.judge(row)?.message
    if (fault !== undefined) {
      refused.push(path)
      message = fault
      continue
    }
    const page = site(path)
    if (page === undefined) continue
    fetched.push(path)
    const fingerprint = takeFingerprint(page.text, url)
    guard.report(row, novelty.classify(fingerprint, duplicates.record(next, fingerprint.similarity)?.times))
    for (const link of page.links) {
      if (known.has(link)) continue
      known.add(link)
      queue.push({ path: link, foundOn: url })
    }
  }
  return { fetched, refused, message, ended: fetched.length < most }
}

/** Random words; the same number always gives the same word. */
export function prose(seed: number, words: number): string {
  const text: string[] = []
  let state = seed >>> 0
  for (let word = 0; word < words; word += 1) {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    text.push(vocabulary[((mixed ^ (mixed >>> 14)) >>> 0) % vocabulary.length] ?? '')
    if (word % 12 === 11) text.push('.\n')
  }
  return text.join(' ')
}

const syllables = ['ka', 'lo', 'mi', 'ren', 'tus', 'vor', 'el', 'dan', 'sho', 'qui', 'bra', 'nex', 'pol']
const vocabulary = syllables.flatMap((first) => syllables.map((second) => first + second))
