import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import * as actionKinds from '../../src/features/browser/actions/index.js'
import { actionsSchema } from '../../src/kernel/options/fields/actions.js'
import { builtIn } from '../../src/features/create-engine.js'
import { batchScrapeSchema } from '../../src/kernel/options/batch-options.js'
import { crawlSchema } from '../../src/kernel/options/crawl-options.js'
import { scrapeShape } from '../../src/kernel/options/scrape-schema.js'
import { v1CrawlSchema } from '../../src/kernel/options/v1-options.js'
import { propertiesOf, toJsonSchema, alternativesOf } from '../../build/docs/json-schema.js'
import { listDocs, readDoc } from './doc-code.js'

const page = ['docs/compatibility.md', ...listDocs('docs/compatibility/')].map(readDoc).join('\n')

/** Names that the page does not have in a table. */
const missing = (names: readonly string[]): string[] =>
  names.filter((name) => !new RegExp(`^\\|.*\`${name}\``, 'm').test(page))

test('the guides have a row for each format and for each action', () => {
  const formats = builtIn.formats.all.map(({ type }) => type)
  const hasRow = (guide: string, name: string): boolean => new RegExp(`^\\| [^|]*\`${name}\``, 'm').test(readDoc(guide))
  expect(formats.filter((name) => !hasRow('docs/guides/formats.md', name))).toEqual([])
  const actions = Object.keys(actionKinds)
  expect(actions.filter((name) => !hasRow('docs/guides/browser-and-actions.md', name))).toEqual([])
})

describe('docs/compatibility.md and its tables', () => {
  it('has every option of the interface, and every option that it does not have', () => {
    const shapes = [
      scrapeShape(z, builtIn.options),
      batchScrapeSchema(z, builtIn.options).shape,
      crawlSchema(z, builtIn.options).shape,
      v1CrawlSchema(z, builtIn.options).shape,
    ]
    const v1 = v1CrawlSchema(z, builtIn.options).shape.scrapeOptions.unwrap().shape
    expect(missing([...shapes, v1].flatMap((shape) => Object.keys(shape)))).toEqual([])
  })

  it('has every format and action', () => {
    const formats = builtIn.formats.all.map(({ type }) => type)
    const actions = alternativesOf(toJsonSchema(actionsSchema(z))).flatMap(
      ({ properties }) => properties?.['type']?.const ?? [],
    )
    expect(actions.map(String).toSorted()).toEqual(Object.keys(actionKinds).toSorted())
    expect(missing([...formats, ...Object.keys(actionKinds)])).toEqual([])
  })

  it('has every option of a format', () => {
    const formats = builtIn.formats.all
    const names = formats.flatMap(({ options }) => Object.keys(propertiesOf(z.strictObject(options?.(z) ?? {}))))
    expect(missing(names.filter((name) => name !== 'selectors'))).toEqual([])
  })

  it('has a row for every path that the newest client of the interface calls', () => {
    const client = readFileSync(createRequire(import.meta.url).resolve('firecrawl-newest'), 'utf8')
    const called = [...client.matchAll(/["'`](\/v[12]\/[\w/-]+(?:\$\{\w+(?:\.\w+)?\}[\w/-]*)*)/g)].map(
      ([, path = '']) =>
        path.replace(/\/?\$\{[^}]+\}/g, (part) => (part.startsWith('/') ? '/:id' : '')).replace(/\/$/, ''),
    )
    expect(called.length).toBeGreaterThan(30)
    const rows = [...page.matchAll(/`(?:[A-Z]+ )?(\/v[12]\/[\w/:*-]+)`/g)].map(([, path = '']) => path)
    const covers = (row: string, path: string): boolean => {
      const [own, asked] = [row.replace('/*', ''), path.replace('/v1/', '/v2/')]
      return [own, own.replace('/v1/', '/v2/')].some((start) => asked === start || asked.startsWith(`${start}/`))
    }
    expect([...new Set(called)].filter((path) => !rows.some((row) => covers(row, path)))).toEqual([])
  })

  it('gives a reason for each deviation', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('|'))
    const empty = rows.filter((row) =>
      row
        .split('|')
        .slice(1, -1)
        .some((cell) => cell.trim() === ''),
    )
    expect(empty).toEqual([])
  })
})
