import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../src/index.js'
import { type DocumentationSite, documentationSites } from './documentation-sites.js'
import { KINDS, type Kind, measureDocumentation, type PageMeasure, totalShare } from './measure-documentation.js'

/** `npm run test:bars` reads every page; without it, this many of each site, spread evenly. */
const isWhole = process.env['BARS'] === 'whole'
const SAMPLE = Number(process.env['BARS_PAGES'] ?? 20)

/** Shows this many of the worst pages of each site, with what is wrong there. */
const worst = Number(process.env['BARS_WORST'] ?? 0)

/** Of words, code and links, at least this share is to be kept; of the menus' phrases, at most this share. */
const BARS = { words: 0.97, menus: 0.1, code: 0.99, links: 1 } as const

const engine = createEngine({ threads: 0 })
const table: string[] = []
afterAll(async () => {
  await engine.close()
  const head = `| site | generator | pages | ${KINDS.join(' | ')} |\n| --- | --- | ---: |${' ---: |'.repeat(KINDS.length)}`
  if (isWhole || worst > 0) console.log([head, ...table].join('\n'))
})

/** Pages of a site, spread evenly over their names. */
function choosePages(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .toSorted()
  if (isWhole || files.length <= SAMPLE) return files
  return Array.from({ length: SAMPLE }, (_, at) => files[Math.floor((at * files.length) / SAMPLE)] ?? '')
}

async function measureSite(site: DocumentationSite): Promise<PageMeasure[]> {
  const pages: PageMeasure[] = []
  for (const file of choosePages(site.folder)) {
    const url = `http://docs.test/${file.split('/').map(encodeURIComponent).join('/')}`
    const html = readFileSync(`${site.folder}/${file}`, 'utf8')
    const { markdown } = await engine.parse({ url, body: html })
    const measure = measureDocumentation(html, url, markdown, site)
    if (measure) pages.push(measure)
  }
  return pages
}

function printWorst(pages: readonly PageMeasure[], kind: Kind): string {
  const rank = ({ [kind]: { of, wrong } }: PageMeasure): number => (of === 0 ? 0 : wrong.length / of)
  const lines = pages
    .filter((page) => page[kind].wrong.length > 0)
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, worst)
    .map(({ url, [kind]: { of, kept, wrong } }) => `  ${kind} ${kept}/${of} ${url}\n    ${print(wrong)}`)
  return lines.join('\n')
}

const print = (wrong: readonly string[]): string =>
  wrong
    .slice(0, 25)
    .map((one) => JSON.stringify(one.slice(0, 200)))
    .join(' ')

describe.each(documentationSites)('$name', (site) => {
  // Of some, another package leaves a folder of this name.
  const isThere = existsSync(site.folder) && choosePages(site.folder).length > 0
  const missing = isThere ? undefined : `${site.folder} has no pages`
  test.skipIf(missing)(
    `keeps the main part and leaves the menus out${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    { timeout: 3_600_000 },
    async () => {
      const pages = await measureSite(site)
      expect(pages.length, 'a site without a page says nothing').toBeGreaterThan(0)
      const figures = Object.fromEntries(KINDS.map((kind) => [kind, totalShare(pages, kind)])) as Record<Kind, number>
      const cells = [site.name, site.generator, pages.length, ...KINDS.map((kind) => figures[kind].toFixed(4))]
      table.push(`| ${cells.join(' | ')} |`)
      if (worst > 0) console.log([site.name, ...KINDS.map((kind) => printWorst(pages, kind))].join('\n'))

      expect(figures.menus, "share of the menus' phrases let through").toBeLessThanOrEqual(BARS.menus)
      expect(figures.words, "share of the main part's words kept").toBeGreaterThanOrEqual(BARS.words)
      expect(figures.code, 'share of code blocks kept verbatim').toBeGreaterThanOrEqual(BARS.code)
      expect(figures.links, "share of the main part's links kept").toBeGreaterThanOrEqual(BARS.links)
    },
  )
})
