import type { BatchScrapeRequest, CrawlRequest, ScrapeOptions } from '../../index.js'

type Options = BatchScrapeRequest & CrawlRequest & ScrapeOptions
type Described = Exclude<keyof Options, 'url' | 'urls' | 'scrapeOptions'>

/** What each option of the interface does, in one line: with its unit and its default. */
export const optionDescriptions: Readonly<Record<Described, string>> = {
  // The crawl
  allowExternalLinks: 'Follow links to other sites, one step',
  allowSubdomains: 'Follow links to other hosts of the same domain',
  crawlEntireDomain: 'Follow any link on the host, not only those below URL',
  deduplicateSimilarURLs: 'Take spellings with and without www., a trailing slash, an index file or TLS as one page',
  respectMetaRobots: 'Obey noindex and nofollow of pages',
  deduplicateContent: 'Drop a page whose content is that of an earlier page',
  discoverThrough: 'Pages refused only by --include-paths that are fetched for their links alone',
  delay: 'Pause between two pages, in seconds: above 0, at most 60. One page is fetched at a time then. Default: none',
  excludePaths: 'Pattern (RE2) that no path may have; wins over --include-paths',
  ignoreQueryParameters: 'Take URLs that differ only in their query as one page',
  ignoreRobotsTxt: 'Fetch what robots.txt asks crawlers to leave alone',
  includePaths: 'Pattern (RE2) that must be found somewhere in the path; several are alternatives. Default: all paths',
  limit: 'Most pages, from 1',
  maxDiscoveryDepth: 'Most links away from the start page; 0 is the start page alone',
  prompt: 'What to crawl, in words: a language model sets what is not given. At most 10000 characters',
  regexOnFullURL: 'Search for the patterns in the full URL with its query',
  robotsUserAgent: 'The name by which robots.txt is asked',
  since:
    'Spare what has not changed since an earlier crawl: its job id, or last; give --snapshots, too. Default: every page is new',
  sitemap: "Use the site's list of its own pages beside links, not at all, or instead",
  // The batch
  appendToId: 'Id of a batch that the URLs are added to',
  ignoreInvalidURLs: 'Leave invalid URLs out and say which, instead of refusing all',
  // Both
  integration: 'Which integration the request comes from; changes nothing',
  learnBoilerplate: 'Drop from the content what repeats over pages of one template',
  budget:
    'Most that the job may take up, after which it ends: {"requests":1000,"bytes":1e9,"seconds":600}. Default: no limit',
  maxConcurrency: 'Pages at once, from 1',
  origin: 'Where the request comes from; changes nothing',
  webhook: 'URL that the job reports to, or an object with url, headers, metadata, events',
  retain: 'Keep documents in memory after they were written out',
  zeroDataRetention: 'Keep nothing of the pages: no cache write, no snapshot, each document given once',
  // Each page
  actions: 'Step on the page before its content is taken, at most 50: {"type":"click","selector":"#more"}',
  blockAds: 'Block advertisements and cookie pop-ups',
  excludeTags: 'CSS selector of what is left out; *word* is whatever has the word in tag, class or id',
  fastMode: 'Leave the browser out, also for a page that seems to need one',
  formats: 'What is made of each page, by name or as an object with options',
  headers: 'Request header, sent to the host of URL only; or all of them as a JSON object',
  headersFor: 'Further host that --headers are sent to: example.com, example.com:8443, *.example.com. Default: none',
  includeTags: 'CSS selector of what is kept. Default: everything',
  location: 'Where the page is looked at from: {"country":"DE","languages":["de"]}',
  lockdown: 'Ask the cache only (see --cache); nothing leaves the machine',
  maxAge: 'Use a page of the cache that is younger. Milliseconds; see --cache',
  minAge: 'Ask the cache only, for a page at least this old. Milliseconds; see --cache',
  mobile: 'Look like a telephone',
  onlyCleanContent: 'Let a language model take out what is left of boilerplate',
  onlyMainContent: 'Only the main content: no header, navigation, footer',
  parsers: 'Kind of file that is read: pdf, image; [] gives files as base64. Default: all that can be',
  profile: 'Browser storage shared under a name: {"name":"shop","saveChanges":true}',
  proxy: 'Kind of proxy; auto tries basic first',
  redactPII: 'Take personal data out; =JSON for options: {"mode":"fast","entities":["EMAIL"]}',
  removeBase64Images: 'Leave the data of inline pictures out of the Markdown',
  skipTlsVerification: 'Accept any certificate. Default: on; off with --headers or --actions',
  storeInCache: 'Remember the page, where there is a --cache',
  timeout: 'For the whole page. Milliseconds, 1000 to 300000',
  trace: 'List what is left out of the content, with the reasons',
  waitFor: 'Time that the page is given before its content is taken. Milliseconds, 0 to 60000',
}
