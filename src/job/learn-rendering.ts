import type { RenderingMemory } from '../fetch/rendering-memory.js'
import { takeTemplate } from '../frontier/url-template.js'

/** Pages of a making that must agree before the others are taken to be like them. */
const ENOUGH = 2
/** Makings that are remembered: a site can have as many as it likes. */
const MOST_TEMPLATES = 2000

interface Tally {
  gained: number
  same: number
}

/**
 * Makes the memory of a job. Pages are of one making when their URLs have one template; two pages that disagree leave
 * the question open, and each page is judged by itself again.
 */
export function createRenderingMemory(): RenderingMemory {
  const tallies = new Map<string, Tally>()
  return {
    expect(url) {
      const { gained, same } = tallies.get(templateOf(url)) ?? { gained: 0, same: 0 }
      if (gained >= ENOUGH && same === 0) return 'browser'
      return same >= ENOUGH && gained === 0 ? 'http' : undefined
    },
    note(url, gained) {
      const template = templateOf(url)
      const tally = tallies.get(template) ?? { gained: 0, same: 0 }
      if (!tallies.has(template) && tallies.size >= MOST_TEMPLATES) return
      tally[gained ? 'gained' : 'same'] += 1
      tallies.set(template, tally)
    },
  }
}

const templateOf = (url: string): string => takeTemplate(new URL(url)).names[0] ?? url
