import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, TrawlError, type Use } from '../../../src/index.js'
import { decidePermissions } from '../../../src/features/permissions/permissions.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { type PermissionCase, robotsCases } from './permission-cases.js'
import { licenseCases } from './permission-license-cases.js'
import { pageCases } from './permission-page-cases.js'

const engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
afterAll(() => engine.close())

const uses: readonly Use[] = ['search', 'ai-input', 'ai-train']

/** Opens the site of a case. */
async function openCase({ path = '/page', files = {}, headers = {}, head = '' }: PermissionCase) {
  const site = await startSite({
    pages: {
      [path]: ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html', ...headers })
        response.end(`<!doctype html><head><title>Lamps</title>${head}</head><main><p>Some words.</p></main>`)
      },
      ...Object.fromEntries(
        Object.entries(files).map(([name, text]): [string, Handler] => [
          name,
          ({ request, response }) => {
            response.end(text.replaceAll('ORIGIN', `http://${request.headers.host ?? ''}`))
          },
        ]),
      ),
    },
  })
  return { site, url: site.url(path) }
}

/** Scrapes the page once for each use. */
async function decide(url: string): Promise<{ decided: string; messages: readonly string[] }> {
  let decided = ''
  const messages: string[] = []
  for (const use of uses) {
    try {
      const { permissions } = await engine.scrape(url, { use: [use] })
      decided += permissions?.[use] === 'granted' ? 'g' : '-'
    } catch (error) {
      expect(error).toBeInstanceOf(TrawlError)
      expect((error as TrawlError).code).toBe('SCRAPE_NOT_PERMITTED')
      decided += 'd'
      messages.push((error as TrawlError).message)
    }
  }
  return { decided, messages }
}

const cases = [...robotsCases, ...pageCases, ...licenseCases]

const tdm = (source: 'tdmrep.json' | 'header' | 'meta', verdict: 'granted' | 'denied') =>
  ({ source, protocol: 'tdmrep', where: source, text: verdict, says: { 'ai-train': verdict } }) as const

describe('the decision from several statements', () => {
  it('of TDMRep is that of the page, then that of its header, then that of the file', () => {
    const decided = decidePermissions([tdm('tdmrep.json', 'denied'), tdm('header', 'granted')])
    expect(decided?.['ai-train']).toBe('granted')
    expect(decided?.statements.map(({ source, overruled }) => [source, overruled])).toEqual([
      ['tdmrep.json', true],
      ['header', undefined],
    ])
    expect(decidePermissions([tdm('meta', 'denied'), tdm('header', 'granted')])?.['ai-train']).toBe('denied')
  })

  it('is undefined when nothing is stated, and lists at most 100 statements, denials first', () => {
    expect(decidePermissions([])).toBeUndefined()
    const many = [...Array.from({ length: 150 }, () => tdm('header', 'granted')), tdm('header', 'denied')]
    const { statements = [] } = decidePermissions(many) ?? {}
    expect(statements).toHaveLength(100)
    expect(statements[0]?.says).toEqual({ 'ai-train': 'denied' })
  })
})

describe('what sites permit', () => {
  it('is tested with at least 60 policies', () => expect(cases.length).toBeGreaterThanOrEqual(60))

  for (const one of cases) {
    it(`is decided as the specification says: ${one.name} (${one.by})`, async () => {
      const { site, url } = await openCase(one)
      const { decided, messages } = await decide(url)
      expect(decided).toBe(one.expected)
      if (one.because !== undefined) expect(messages.join('\n')).toContain(one.because)
      await site.close()
    })
  }
})
