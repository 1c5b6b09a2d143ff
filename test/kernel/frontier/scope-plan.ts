import type { ScopePlan } from '../../../src/kernel/frontier/scope/scope.js'

/** The scope of a crawl below `https://example.com/docs/` with every default. */
export const scopePlan = (changes: Partial<ScopePlan> = {}): ScopePlan => ({
  start: 'https://example.com/docs/',
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  crawlEntireDomain: false,
  allowSubdomains: false,
  allowExternalLinks: false,
  maxDiscoveryDepth: Infinity,
  maxPathDepth: Infinity,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  ...changes,
})
