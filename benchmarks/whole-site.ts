import type { CrawlRequest } from 'trawl'
import type { Task } from './speed/measure.js'

/** Options by which trawl crawls as the other tools do: the whole site from its links, at the same concurrency. */
export const wholeSite = ({ start, concurrency }: Task) =>
  ({
    url: start,
    crawlEntireDomain: true,
    sitemap: 'skip',
    maxConcurrency: concurrency,
  }) as const satisfies CrawlRequest
