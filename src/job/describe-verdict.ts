import type { RobotsVerdict } from '../frontier/robots.js'

/** Why a robots.txt refuses a URL, for a reader. */
export function describeVerdict({ why, line, robotsUrl, problem }: RobotsVerdict): string {
  if (line) return `${robotsUrl} line ${line.number}: ${line.text}`
  return why === 'unreachable' ? `${robotsUrl} cannot be had, so nothing is allowed: ${problem ?? ''}` : robotsUrl
}
