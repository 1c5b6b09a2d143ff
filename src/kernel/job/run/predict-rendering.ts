import type { RenderingPredictor } from '../../fetch/fetcher.js'
import { deriveTemplate } from '../../../base/url-template.js'

/** Pages of a template that must agree before the others are predicted. */
const MIN_PAGES = 2
/** Maximum number of templates to count, because a site may have any number of them. */
const MAX_TEMPLATES = 2000

/** Number of a template's pages by result: the browser added text, the browser made no difference, the HTML had the text. */
interface RenderingTally {
  gained: number
  same: number
  plain: number
}

const NO_RESULTS: Readonly<RenderingTally> = { gained: 0, same: 0, plain: 0 }

/**
 * Creates the predictor of a job, which groups pages by URL template. When two pages of a template disagree, or one has its text in its
 * HTML, nothing is predicted, and each page is judged by itself.
 */
export function createRenderingPredictor(): RenderingPredictor {
  const tallies = new Map<string, RenderingTally>()
  let wasRendered = false
  return {
    predict(url) {
      // Most crawls never use a browser, and deriving a template is the costly part.
      if (!wasRendered) return undefined
      const { gained, same, plain } = tallies.get(templateOf(url)) ?? NO_RESULTS
      if (gained >= MIN_PAGES && same + plain === 0) return 'browser'
      return same >= MIN_PAGES && gained === 0 ? 'http' : undefined
    },
    record: (url, gained) => {
      wasRendered = true
      add(url, gained ? 'gained' : 'same')
    },
    recordPlain: (url) => add(url, 'plain'),
  }

  function add(url: string, what: keyof RenderingTally): void {
    const template = templateOf(url)
    const tally = tallies.get(template) ?? { ...NO_RESULTS }
    if (!tallies.has(template) && tallies.size >= MAX_TEMPLATES) return
    tally[what] += 1
    tallies.set(template, tally)
  }
}

const templateOf = (url: string): string => deriveTemplate(new URL(url)).names[0] ?? url
