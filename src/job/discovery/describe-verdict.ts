import type { RobotsVerdict } from '../../frontier/robots/robots.js'
import type { Refusal } from '../../ledger/ledger.js'

/** Explains why a page may not be fetched by its site's robots.txt: the line, or why the file could not be read. */
export const describeVerdict = ({ line, robotsUrl, failure }: RobotsVerdict): string =>
  line ? `${robotsUrl} line ${line.number}: ${line.text}` : (failure?.message ?? robotsUrl)

/** Makes the refusal of a page whose site's robots.txt does not allow it. */
export const refuseByLine = (verdict: RobotsVerdict): Refusal => ({
  reason: 'ROBOTS_TXT',
  message: describeVerdict(verdict),
})
