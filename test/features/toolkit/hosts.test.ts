import { afterEach, describe, expect, it } from 'vitest'
import { createToolkit, type Toolkit, type ToolkitOptions } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'

const SECRET = 'Bearer hush-hush-hush'
const opened = useEngineSite()
let toolkit: Toolkit | undefined
afterEach(() => toolkit?.close())

async function open(options: (origin: string) => ToolkitOptions): Promise<void> {
  const pages = {
    '/': htmlPage('Start', '<p>Words of the start.</p><a href="/next">Next</a>'),
    '/next': '<p>Next.</p>',
  }
  await opened.open(pages, { fetcher: 'http' })
  toolkit = createToolkit(opened.engine, options(opened.site.origin))
}

async function call(name: string, input: object): Promise<string> {
  const tool = toolkit?.tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool.run(input)
}

/** The site under another host name. */
const elsewhere = (): string => opened.site.origin.replace('127.0.0.1', 'localhost')

describe('option `hosts` of a toolkit', () => {
  const scrapeOptions = { headers: { authorization: SECRET } }

  it('keeps an agent, and the headers, to the hosts that it names', async () => {
    await open((origin) => ({ hosts: [origin], scrapeOptions }))
    for (const name of ['scrape', 'map', 'crawl_start']) {
      const asked = call(name, { url: `${elsewhere()}/` })
      await expect(asked).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringMatching(
          /`url`: "http:\/\/localhost:\d+\/" may not be asked for: .*http:\/\/127\.0\.0\.1/,
        ),
      })
    }
    await expect(call('scrape', { url: 'localhost' })).rejects.toThrow('may not be asked for')
    expect(opened.site.requests).toEqual([])
    expect(await call('scrape', { url: `${opened.site.origin}/` })).toContain('Words of the start.')
    const started = await call('crawl_start', { url: `${opened.site.origin}/`, waitSeconds: 60 })
    expect(started).toContain('Pages: 2 scraped')
    const pages = opened.site.requests.filter(({ path }) => path === '/' || path === '/next')
    expect(pages.map(({ headers }) => headers['authorization'])).toEqual([SECRET, SECRET, SECRET])
  })

  it('takes plain http only for a host that is named with it', async () => {
    await open((origin) => ({ hosts: [new URL(origin).host], scrapeOptions }))
    await expect(call('scrape', { url: `${opened.site.origin}/` })).rejects.toThrow(
      'only https URLs of these hosts may',
    )
    expect(opened.site.requests).toEqual([])
  })

  it('is required with headers, and with actions that write text or run scripts, which no message shows', async () => {
    await open(() => ({}))
    const create = (options: ToolkitOptions) => () => createToolkit(opened.engine, options)
    expect(create({ scrapeOptions })).toThrow(
      /scrapeOptions\.headers: authorization would go to every host that an agent asks for: .*`hosts`, such as example\.com/,
    )
    expect(create({ scrapeOptions })).not.toThrow('hush')
    const actions = [{ type: 'write', text: 'hush' }, { type: 'scrape' }] as const
    expect(create({ scrapeOptions: { actions } })).toThrow(/scrapeOptions\.actions: write would go to every host/)
    expect(create({ scrapeOptions: { actions: [{ type: 'scroll' }], headers: {} } })).not.toThrow()
    expect(create({ hosts: ['example.com', '*.example.org'], scrapeOptions })).not.toThrow()
    expect(create({ hosts: ['example.com/docs'] })).toThrow('hosts[0]: "example.com/docs" is not a host')
    expect(create({ hosts: [] })).toThrow('hosts: ')
  })
})
