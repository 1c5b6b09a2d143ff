import type { RenderingPredictor } from '../../fetch/rendering-predictor.js'
import { deriveTemplate } from '../../frontier/duplicates/url-template.js'

/** Pages of a making that must agree before the others are taken to be like them. */
const ENOUGH = 2
/** Makings that are remembered: a site can have as many as it likes. */
const MAX_TEMPLATES = 2000

interface Tally {
  gained: number
  same: number
  plain: number
}

const untold: Readonly<Tally> = { gained: 0, same: 0, plain: 0 }

/**
 * Makes the memory of a job. Pages are of one making when their URLs have one template; two pages that disagree leave
 * the question open, and each page is judged by itself again; so does one that has its text in its HTML.
 */
export function createRenderingPredictor(): RenderingPredictor {
  const tallies = new Map<string, Tally>()
  return {
    predict(url) {
      const { gained, same, plain } = tallies.get(templateOf(url)) ?? untold
      if (gained >= ENOUGH && same + plain === 0) return 'browser'
      return same >= ENOUGH && gained === 0 ? 'http' : undefined
    },
    record: (url, gained) => add(url, gained ? 'gained' : 'same'),
    recordPlain: (url) => add(url, 'plain'),
  }

  function add(url: string, what: keyof Tally): void {
    const template = templateOf(url)
    const tally = tallies.get(template) ?? { ...untold }
    if (!tallies.has(template) && tallies.size >= MAX_TEMPLATES) return
    tally[what] += 1
    tallies.set(template, tally)
  }
}

const templateOf = (url: string): string => deriveTemplate(new URL(url)).names[0] ?? url
