import { measure, type CrawlOutput, type Task } from '../speed/measure.js'

type Crawl = (task: Task) => Promise<CrawlOutput>

const loadCrawlee = () => import('./tools/crawl-with-crawlee.js')
const loadLoop = () => import('./tools/loop-over-undici.js')
const loadTrawl = () => import('./tools/crawl-with-trawl.js')

/** The tools. Each loads only what it needs: the time since the start of the process and its memory are measured. */
const tools: Readonly<Record<string, () => Promise<Crawl>>> = {
  crawlee: async () => (await loadCrawlee()).withCrawlee(),
  readability: async () => {
    const { withReadability } = await import('./tools/readability.js')
    return (await loadCrawlee()).withCrawlee(withReadability())
  },
  defuddle: async () => {
    const { withDefuddle } = await import('./tools/defuddle.js')
    return (await loadCrawlee()).withCrawlee(withDefuddle())
  },
  undici: async () => {
    const { findOnlyLinks } = await import('./tools/find-only-links.js')
    const { loopOverUndici } = await loadLoop()
    return (task) => loopOverUndici(task, findOnlyLinks)
  },
  parse: async () => (await import('./tools/loop-with-parse.js')).loopWithParse,
  spider: async () => (await import('./tools/crawl-with-spider.js')).withSpider,
  'trawl-content': async () => (await loadTrawl()).withTrawl(['markdown', 'links']),
  'trawl-links': async () => (await loadTrawl()).withTrawl(['links']),
  'trawl-busy': async () => {
    const { besideBusyHost } = await import('./tools/beside-busy-host.js')
    const crawl = (await loadTrawl()).withTrawl(['markdown', 'links'])
    return (task) => besideBusyHost(() => crawl(task))
  },
}

const load = tools[process.argv[3] ?? '']
if (!load) throw new Error(`the tool is one of ${Object.keys(tools).join(', ')}`)
await measure(await load())
