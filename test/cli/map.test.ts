import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { runHere } from './run-here.js'

describe('trawl map and trawl plan', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      pages: {
        '/': htmlPage(
          'Start',
          '<p><a href="/docs/one">One</a> <a href="/docs/two">Two</a> <a href="/blog">Blog</a></p>',
        ),
        '/docs/one': htmlPage('One'),
        '/docs/two': htmlPage('Two'),
        '/blog': htmlPage('Blog'),
      },
    })
  })
  afterAll(() => site.close())

  it('lists the URLs of a site, one a line', async () => {
    const { code, stdout, stderr } = await runHere(['map', site.url('/'), '--search', 'docs'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`${site.url('/docs/one')}\n${site.url('/docs/two')}\n`)
  })

  it('prints the map as JSON with --json', async () => {
    const { stdout } = await runHere(['map', site.url('/'), '--limit', '2', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ success: true, links: [{ url: site.url('/') }, { title: 'One' }] })
  })

  it('exits with 1 when a site gives no URL, and says why', async () => {
    const down = await runHere(['map', 'http://127.0.0.1:9/'])
    expect([down.code, down.stdout]).toEqual([1, ''])
    expect(down.stderr).toContain('Warning: The connection was refused')
    const gone = await runHere(['map', site.url('/nowhere'), '--json'])
    expect(gone.code).toBe(1)
    expect(JSON.parse(gone.stdout)).toMatchObject({ links: [], warning: expect.stringContaining('answered 404') })
    const unmatched = await runHere(['map', site.url('/'), '--search', 'nothing-has-it'])
    expect([unmatched.code, unmatched.stdout, unmatched.stderr]).toEqual([0, '', ''])
  })

  it('shows what a crawl would do, and the options that are not the defaults', async () => {
    const flags = ['--exclude-paths', '^/blog', '--limit', '2', '--headers', 'Cookie: s=1', '--sitemap', 'skip']
    const { code, stdout } = await runHere(['plan', site.url('/'), ...flags])
    expect(code).toBe(0)
    expect(stdout).toContain(`Start   ${site.url('/')}\n`)
    expect(stdout).toContain('Robots  allowed\n')
    expect(stdout).toMatch(/Pages {3}\d+ found so far, at most 2 scraped\n/)
    expect(stdout).toMatch(new RegExp(`\\nEXCLUDE_PATTERN +1 +${site.url('/blog')} +--exclude-paths has \\^/blog\\n`))
    expect(stdout).toMatch(/\nlimit +2\n/)
    expect(stdout).toMatch(/\nscrapeOptions\.headers +\(given\)\n/)
    expect(stdout).not.toContain('s=1')
  })

  it('prints the plan with the value of every option as JSON', async () => {
    const { stdout } = await runHere(['plan', site.url('/'), '--limit', '2', '--sitemap', 'skip', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      start: site.url('/'),
      options: { limit: 2, sitemap: 'skip', crawlEntireDomain: false, 'scrapeOptions.timeout': 30_000 },
    })
  })

  it('explains a wrong request in terms of flags', async () => {
    for (const command of ['map', 'plan']) {
      const { code, stderr } = await runHere([command, site.url('/'), '--limit', '0'])
      expect([code, stderr]).toEqual([2, expect.stringContaining('--limit: 0 is out of range')])
    }
  })
})
