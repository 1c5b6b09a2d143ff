import type { BatchScrapeRequest, CrawlRequest, ScrapeOptions } from '../../index.js'

type Options = BatchScrapeRequest & CrawlRequest & ScrapeOptions
type Described = Exclude<keyof Options, 'url' | 'urls' | 'scrapeOptions'>

/**
 * One-line description of each option of the interface, with its unit. Defaults in `options/defaults.ts` are appended.
 */
export const optionDescriptions: Readonly<Record<Described, string>> = {
  // The crawl
  allowExternalLinks: 'Follow links to other sites, one step',
  allowSubdomains: 'Follow links to other hosts of the same domain',
  crawlEntireDomain: 'Follow any link on the host, not only those below URL',
  deduplicateSimilarURLs: 'Treat URLs that differ only in www., a trailing slash, an index file or TLS as one page',
  respectMetaRobots: 'Obey noindex and nofollow of pages',
  deduplicateContent: 'Drop a page with the same content as an earlier page',
  discoverThrough: 'Maximum pages refused only by --include-paths to fetch for their links alone',
  delay: 'Pause between two pages, in seconds: above 0, at most 60. Sets the concurrency to 1. Default: none',
  excludePaths: 'Pattern (RE2) of paths to exclude; takes precedence over --include-paths',
  ignoreQueryParameters: 'Treat URLs that differ only in their query as one page',
  ignoreRobotsTxt: 'Fetch pages that robots.txt disallows',
  includePaths: 'Pattern (RE2) that must match somewhere in the path; several are alternatives. Default: all paths',
  limit: 'Maximum pages, from 1',
  maxDiscoveryDepth: 'Maximum links away from the start page; 0 is the start page alone',
  prompt: 'Description of the crawl, from which a language model sets the options not given. At most 10000 characters',
  regexOnFullURL: 'Match the patterns against the full URL with its query',
  robotsUserAgent: 'Product token to look up in robots.txt',
  since:
    'Report only changes since an earlier crawl: its job id, or last; requires --snapshots. Default: every page is new',
  sitemap: "Use the site's sitemaps as well as links, not at all, or alone",
  // The batch
  appendToId: 'Id of the batch to add the URLs to',
  ignoreInvalidURLs: 'Skip and report invalid URLs, instead of refusing all',
  // Both
  integration: 'Name of the integration that sends the request; has no effect',
  learnBoilerplate: 'Drop content that repeats over pages of one template',
  budget:
    'Maximum resources of the job, after which it ends: {"requests":1000,"bytes":1e9,"seconds":600}. Default: no limit',
  maxConcurrency: 'Concurrent pages, from 1',
  origin: 'Origin of the request; has no effect',
  webhook: 'URL that receives reports of the job, or an object with url, headers, metadata, events',
  retain: 'Keep documents in memory after they were written out',
  zeroDataRetention: 'Store nothing of the pages: no cache, no snapshots, each document delivered once',
  // Each page
  actions: 'Action on the page before its content is taken, at most 50: {"type":"click","selector":"#more"}',
  blockAds: 'Block advertisements and cookie pop-ups',
  excludeTags: 'CSS selector of content to drop; *word* matches elements with the word in tag, class or id',
  fastMode: 'Never use a browser, even for a page that seems to need one',
  formats: 'Output format, by name or as an object with options',
  headers: 'Request header, sent to the host of URL only; or all of them as a JSON object',
  headersFor: 'Further host that receives --headers: example.com, example.com:8443, *.example.com. Default: none',
  includeTags: 'CSS selector of content to keep. Default: everything',
  location: 'Location to emulate: {"country":"DE","languages":["de"]}',
  lockdown: 'Use the cache only (see --cache); send no request',
  maxAge: 'Maximum age of a cached page. Milliseconds; see --cache',
  minAge: 'Use the cache only, with pages at least this old. Milliseconds; see --cache',
  mobile: 'Emulate a mobile device',
  onlyCleanContent: 'Let a language model remove remaining boilerplate',
  onlyMainContent: 'Return only the main content: no header, navigation, footer',
  parsers: 'Kind of file to parse: pdf, image; [] returns files as base64. Default: all supported ones',
  profile: 'Browser storage shared under a name: {"name":"shop","saveChanges":true}',
  proxy: 'Kind of proxy; auto tries basic first',
  redactPII: 'Remove personal data; =JSON for options: {"mode":"fast","entities":["EMAIL"]}',
  removeBase64Images: 'Leave the data of inline images out of the Markdown',
  skipTlsVerification: 'Accept any certificate. Default: on; off with --headers or --actions',
  storeInCache: 'Write the page to the cache, if there is a --cache',
  timeout: 'Timeout of a page. Milliseconds, 1000 to 300000',
  trace: 'List the dropped content, with the reasons',
  waitFor: 'Delay before the content is taken. Milliseconds, 0 to 60000',
}
