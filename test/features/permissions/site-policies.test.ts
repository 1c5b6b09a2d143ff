import { setMaxListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { policyLimits } from '../../../src/features/permissions/policy-limits.js'
import { PolicyBudget } from '../../../src/features/permissions/policy-budget.js'
import { readRslFile } from '../../../src/features/permissions/rsl-file.js'
import { createSitePolicies, type NamedLicense } from '../../../src/features/permissions/site-policies.js'
import type { RobotsPreferences } from '../../../src/features/permissions/robots-preferences.js'
import type { GetSiteFile } from '../../../src/base/http/site-file.js'
import { type XmlListener, scanXml, scanXmlInSlices } from '../../../src/content/office/package/scan-xml.js'

const { signal } = new AbortController()
setMaxListeners(0, signal)
const page = new URL('https://example.com/a')

/** Policies of sites whose robots.txt names these licence files. */
function open(get: GetSiteFile, licenses: readonly string[] = [], now = () => 1000) {
  const preferences: RobotsPreferences = {
    robotsUrl: 'https://example.com/robots.txt',
    lines: [],
    licenses: licenses.map((url, at) => ({
      url,
      shown: { number: at + 1, text: `License: ${url}` },
    })),
  }
  const robots = { preferencesOf: async () => preferences }
  return createSitePolicies({ get, robots, now })
}

const answer = (url: string, text: string, statusCode = 200) => ({
  url,
  statusCode,
  body: new TextEncoder().encode(text),
})

const named = (url: string): NamedLicense => ({ url, source: 'link', where: 'link `license` of the page', text: url })

const DENIED = '<rsl><content url="/"><license><prohibits type="usage">all</prohibits></license></content></rsl>'

describe('policy files', () => {
  it('are requested at the same time', async () => {
    const urls = ['/1.xml', '/2.xml', '/3.xml'].map((path) => `https://example.com${path}`)
    let waiting = 0
    let release: () => void = () => undefined
    const all = new Promise<void>((resolve) => (release = resolve))
    const get: GetSiteFile = async (url) => {
      waiting += 1
      if (waiting === 4) release()
      await all
      return answer(url, url.endsWith('json') ? '[]' : DENIED)
    }
    const found = await open(get, urls).read(page, 'trawl', { signal })
    expect(found.map(({ license }) => license)).toEqual(urls)
  })

  it('that take too long are stated as not read, and not requested again for some minutes', async () => {
    let requests = 0
    const get: GetSiteFile = async (url) => {
      requests += 1
      throw new TrawlError('SCRAPE_TIMEOUT', 'The page took longer', { url })
    }
    const policies = open(get, ['https://example.com/1.xml'])
    for (let times = 0; times < 2; times++) {
      const found = await policies.read(page, 'trawl', { signal })
      expect(found.map(({ source, text, says }) => ({ source, text, says }))).toEqual([
        { source: 'tdmrep.json', text: 'could not be read: took longer than 10000 ms', says: {} },
        { source: 'rsl', text: 'could not be read: took longer than 10000 ms', says: {} },
      ])
    }
    expect(requests).toBe(2)
  })

  it('reject with the reason of a caller that stops waiting', async () => {
    const stop = new AbortController()
    const policies = open(() => new Promise(() => undefined))
    const reading = policies.read(page, 'trawl', { signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
  })

  it('with `cached` are those in memory, and nothing is requested', async () => {
    const requests: string[] = []
    const get: GetSiteFile = async (url) => {
      requests.push(url)
      return answer(url, url.endsWith('json') ? '[{"location":"/","tdm-reservation":1}]' : DENIED)
    }
    const policies = open(get, ['https://example.com/1.xml'])
    const before = await policies.read(page, 'trawl', 'cached')
    expect(before).toEqual([
      {
        source: 'robots.txt',
        protocol: 'rsl',
        where: 'https://example.com/robots.txt line 1',
        text: 'License: https://example.com/1.xml',
        says: {},
        license: 'https://example.com/1.xml',
      },
    ])
    expect(requests).toEqual([])
    const read = await policies.read(page, 'trawl', { signal })
    expect(await policies.read(page, 'trawl', 'cached')).toEqual(read)
    expect(await policies.readLicense(named('https://example.com/1.xml'), page, 'cached')).toMatchObject([
      { source: 'rsl', says: { search: 'denied' } },
    ])
    expect(requests).toHaveLength(2)
  })

  it('that hang cost a page no more than its budget, are stated as not read, and are stored for other pages', async () => {
    const hanging: (() => void)[] = []
    const get: GetSiteFile = (url) =>
      new Promise((resolve) => hanging.push(() => resolve(answer(url, url.endsWith('json') ? '[]' : DENIED))))
    const policies = open(get, ['https://example.com/1.xml'])
    const budget = new PolicyBudget(500)
    const text = 'could not be read: the page had waited 150 ms for policy files'
    const late = [
      { text, says: {} },
      { text, says: {} },
    ]
    expect(await policies.read(page, 'trawl', { signal, budget })).toMatchObject(late)
    // A later phase of the page has no time left, and joins the request that runs on.
    expect(await policies.read(page, 'trawl', { signal, budget })).toMatchObject(late)
    expect(hanging).toHaveLength(2)
    for (const end of hanging) end()
    await new Promise(setImmediate)
    expect(await policies.read(page, 'trawl', 'cached')).toMatchObject([{ source: 'rsl', says: { search: 'denied' } }])
  })

  it.each([
    [404, true],
    [410, true],
    [401, false],
    [403, false],
    [429, false],
    [503, false],
  ])('that are answered with %i are missing: %s', async (status, isMissing) => {
    let requests = 0
    let nowMs = 1000
    const get: GetSiteFile = async (url) => {
      requests += 1
      return answer(url, '', status)
    }
    const policies = open(get, [], () => nowMs)
    const found = await policies.read(page, 'trawl', { signal })
    expect(found.map(({ text }) => text)).toEqual(isMissing ? [] : [`could not be read: answered ${status}`])
    nowMs += policyLimits.failedMs + 1
    await policies.read(page, 'trawl', { signal })
    expect(requests).toBe(isMissing ? 1 : 2)
  })

  it('that robots.txt and the pages of all hosts of a domain name are counted together', async () => {
    const requests: string[] = []
    const get: GetSiteFile = async (url) => {
      requests.push(url)
      return answer(url, '', 404)
    }
    const urlOf = (number: number): string => `https://third.example/${number}.xml`
    const policies = open(
      get,
      Array.from({ length: 15 }, (_, at) => urlOf(at)),
    )
    await policies.read(page, 'trawl', { signal })
    for (let number = 15; number < 30; number++)
      await policies.readLicense(named(urlOf(number)), new URL(`https://host${number}.example.com/`), { signal })
    expect(requests.filter((url) => url.endsWith('.xml'))).toHaveLength(policyLimits.filesBySite)
  })

  it('of one host are requested up to 1000 times in a day for other sites, and always for its own', async () => {
    let requests = 0
    const get: GetSiteFile = async (url) => {
      requests += 1
      return answer(url, '', 404)
    }
    const policies = open(get)
    for (let number = 0; number < policyLimits.filesByHost + 50; number++) {
      const license = named(`https://third.example/${number}.xml`)
      await policies.readLicense(license, new URL(`https://site${number}.example/`), { signal })
    }
    expect(requests).toBe(policyLimits.filesByHost)
    const own = await policies.readLicense(named('https://third.example/own.xml'), new URL('https://third.example/'), {
      signal,
    })
    expect(own).toMatchObject([{ text: 'could not be read: answered 404' }])
  })

  it('state a price of at most 100 characters', async () => {
    const paid = `<rsl><content url="/"><license><payment type="${'x'.repeat(5000)}"/></license></content></rsl>`
    const policies = open(async (url) => answer(url, url.endsWith('json') ? '[]' : paid), ['https://example.com/1.xml'])
    const [found] = await policies.read(page, 'trawl', { signal })
    expect(found?.price).toBe('x'.repeat(100))
  })

  it('that pages of one site name are read up to 20 in a day', async () => {
    const requests: string[] = []
    const get: GetSiteFile = async (url) => {
      requests.push(url)
      return answer(url, '', 404)
    }
    const policies = open(get)
    for (let number = 0; number < 30; number++) {
      const license = named(`https://third.example/${number}.xml`)
      const [found] = await policies.readLicense(license, page, { signal })
      expect(found?.text.includes('names more than 20 licence files')).toBe(number >= policyLimits.filesBySite)
    }
    expect(requests).toHaveLength(policyLimits.filesBySite)
    await policies.readLicense(named('https://third.example/30.xml'), new URL('https://other.example/'), { signal })
    expect(requests).toHaveLength(policyLimits.filesBySite + 1)
  })

  it('are dropped from memory by their size, the least recently used first', async () => {
    const rules = `[{"location":"/","tdm-reservation":1,"x":"${'x'.repeat(200_000)}"}]`
    const policies = open(async (url) => answer(url, rules))
    const pages = Array.from({ length: 50 }, (_, at) => new URL(`https://site${at}.example/`))
    for (const each of pages) await policies.read(each, 'trawl', { signal })
    const known = []
    for (const each of pages) known.push((await policies.read(each, 'trawl', 'cached')).length)
    expect(known[0]).toBe(0)
    expect(known.at(-1)).toBe(1)
    expect(known.filter(Boolean).length * rules.length).toBeLessThan(policyLimits.totalBytes / 8)
  })
})

describe('a licence file', () => {
  it('has at most 50 uses in one licence, however many elements name them', async () => {
    const permits = '<permits type="usage">a b c d e f g h</permits>'.repeat(5000)
    const [content] = await readRslFile(`<rsl><content url="/"><license>${permits}</license></content></rsl>`)
    expect(content?.licenses[0]?.permits).toHaveLength(50)
  })

  it('is read in slices as it is in one piece', async () => {
    const filler = '<x:a xmlns:x="urn:x" b="1 &amp; 2">text &#8364; &lt;<![CDATA[ data ]]></x:a>'
    const text = `<rsl>${Array.from({ length: 900 }, (_, at) => 'y'.repeat(at % 37) + filler).join('')}</rsl>`
    expect(text.length).toBeGreaterThan(60_000)
    expect(await record((listener) => scanXmlInSlices(text, listener))).toEqual(
      await record((listener) => scanXml(text, listener)),
    )
  })

  it('that declares thousands of prefixes has the first 200 of a scope', async () => {
    const declared = (from: number) => Array.from({ length: 190 }, (_, at) => `xmlns:p${from + at}="u"`).join(' ')
    const names: string[] = []
    const text = `<a ${declared(0)}><b ${declared(190)}><c/><p0:d/></b></a>`
    scanXml(text, { open: (name) => names.push(name), close: () => undefined, text: () => undefined })
    expect(names).toEqual(['a', 'b', 'c', 'p0:d'])
  })
})

/** Writes events as one text, in which the parts of a text are joined. */
async function record(scan: (listener: XmlListener) => unknown): Promise<string> {
  let events = ''
  await scan({
    open: (name, attributes) => (events += `\n<${name} ${JSON.stringify(attributes)}>`),
    close: (name) => (events += `\n</${name}>\n`),
    text: (data) => (events += data),
  })
  return events
}
