/** Kind of object that an option stands in. */
type Place = 'engine' | 'job' | 'page'

/** Explanation of an option of other crawlers, by the place where it was given; `any` for all others. */
type Meaning = { readonly [Name in Place | 'any']?: string }

const limit: Meaning = { job: '`limit`' }
const links: Meaning = { job: '`maxDiscoveryDepth`, which counts links' }
const include: Meaning = {
  job: '`includePaths`, a list of regular expressions',
  page: '`includeTags`, or `includePaths` of a crawl',
}
const exclude: Meaning = {
  job: '`excludePaths`, a list of regular expressions',
  page: '`excludeTags`, or `excludePaths` of a crawl',
}
const atOnce: Meaning = { any: '`maxConcurrency` of a job or of the engine' }
const retries: Meaning = { any: '`retry: { maxRetries }` of the engine' }
const retried: Meaning = { any: '`retry: { statusCodes }` of the engine, in place of the default' }
const browser: Meaning = {
  any: "`fetcher: 'browser'` of the engine; by default a browser loads the pages that need one",
}
const header = (example: string): Meaning => ({ any: `a header: \`headers: { ${example} }\`` })
const cookie = header("Cookie: 'name=value'")
const robots: Meaning = {
  job: '`ignoreRobotsTxt`',
  engine: '`ignoreRobotsTxt` of a crawl; by default robots.txt is obeyed',
}
const subdomains: Meaning = { job: '`allowSubdomains`' }
const pause: Meaning = { any: '`delay` of a job, in seconds, or `maxConcurrencyPerSite` of the engine' }
const ledger: Meaning = { any: "`ledger: sqlite('crawl.db')` of the engine" }
const proxies: Meaning = { any: "`proxies: { basic: ['http://…'] }` of the engine" }
const selector: Meaning = { any: '`includeTags`, a list of CSS selectors' }
const log: Meaning = { engine: '`logger`, an object with methods such as `info` and `warn`' }
const model: Meaning = { engine: '`model: openAiCompatible({ baseUrl, model, apiKey })`' }
const threads: Meaning = { engine: '`threads`' }
const ofJson: Meaning = { page: "an option of a format: `formats: [{ type: 'json', schema, prompt }]`" }
const loop: Meaning = { job: 'the body of the loop: `for await (const page of job)`' }
const pageOptions: Meaning = {
  job: '`scrapeOptions` of a crawl; those of a batch stand at the top level',
  page: 'no object here: its options stand at the top level',
}
const waiting: Meaning = { any: "an action: `actions: [{ type: 'wait', selector }]`" }

/** Options of other crawlers and clients, in lower case, with what they are here. */
const FOREIGN_OPTIONS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    additionalhttperrorstatuscodes: retried,
    auth: header("Authorization: 'Bearer …'"),
    authorization: header("Authorization: 'Bearer …'"),
    concurrency: atOnce,
    cookie,
    // An option of jobs: cookies that pages have set.
    cookies: { page: cookie.any },
    css: selector,
    cssselector: selector,
    database: ledger,
    db: ledger,
    depth: links,
    download_delay: pause,
    exclude,
    excludes: exclude,
    excludepatterns: exclude,
    excludeurls: exclude,
    format: { any: '`formats`, a list' },
    globs: include,
    headless: browser,
    html: { page: "`formats: ['html']`" },
    ignorerobots: robots,
    include,
    includes: include,
    includepatterns: include,
    includesubdomains: subdomains,
    includeurls: include,
    javascript: browser,
    js: browser,
    match: include,
    maxcrawldepth: links,
    maxcrawlpages: limit,
    maxpages: limit,
    maxrequestspercrawl: limit,
    maxrequestretries: retries,
    maxretries: retries,
    maxurls: limit,
    obeyrobots: robots,
    output: { any: 'not of the library: write the documents of the loop, or use `trawl crawl --output`' },
    pages: limit,
    parallel: atOnce,
    proxyurl: proxies,
    proxyurls: proxies,
    ratelimit: pause,
    render: browser,
    renderjs: browser,
    requestdelay: pause,
    respectrobots: robots,
    respectrobotstxt: robots,
    retries,
    retry_http_codes: retried,
    retry_times: retries,
    retryhttpcodes: retried,
    retryon: retried,
    retryonstatus: retried,
    retrystatus: retried,
    retrystatuscodes: retried,
    retrystatuses: retried,
    robots,
    samedomain: subdomains,
    screenshot: { page: "`formats: ['screenshot']`" },
    selector,
    selectors: selector,
    status_forcelist: retried,
    statuscodes: retried,
    statuses: retried,
    statusforcelist: retried,
    starturls: { job: '`url`, and further ones as `urls`' },
    storage: ledger,
    subdomains,
    apikey: model,
    openai: model,
    llm: model,
    log: log,
    loglevel: log,
    verbose: log,
    debug: log,
    workers: threads,
    workerthreads: threads,
    max: limit,
    onpage: loop,
    requesthandler: loop,
    callback: loop,
    extractoroptions: ofJson,
    schema: ofJson,
    extractionschema: ofJson,
    pageoptions: pageOptions,
    options: pageOptions,
    starturl: { job: '`url`' },
    waitforselector: waiting,
    waituntil: waiting,
  } satisfies Record<string, Meaning>),
)

/** Finds what an option of another crawler is here: `maxPages` is `limit`. @param place where it was given */
export function findForeignOption(name: string, place: Place): string | undefined {
  const meaning = FOREIGN_OPTIONS.get(name.toLowerCase())
  return meaning?.[place] ?? meaning?.any ?? (place === 'page' ? meaning?.job && `${meaning.job} of a job` : undefined)
}
