import type { Robots } from '../robots/robots.js'

/** Finds why the sitemaps of a site must not be requested: its robots.txt is obeyed, and cannot be read. Throws as `judge` does. */
export async function findUnreadRobots(
  start: URL,
  { obey, agent }: { readonly obey: boolean; readonly agent: string },
  robots: Pick<Robots, 'judge'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return obey ? (await robots.judge(new URL('/sitemap.xml', start), agent, signal)).failure?.message : undefined
}

/** Describes sitemaps that were not requested. @param unread message of {@link findUnreadRobots} */
export const describeUnsearched = ({ origin }: URL, unread: string): string =>
  `No sitemap of ${origin} was looked for: ${unread}`
