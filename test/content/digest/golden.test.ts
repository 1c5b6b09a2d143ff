import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ConvertFormat } from '../../../src/content/convert/convert.js'
import { digest } from '../../../src/content/digest/digest.js'
import { pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const fixtures = new URL('../../fixtures/', import.meta.url)

/** For each folder of fixtures: what is asked for, the field that it fills, and the file that holds what is expected. */
const suites: Record<string, { format: ConvertFormat; field: string; file: string }> = {
  markdown: { format: { type: 'markdown' }, field: 'markdown', file: 'expected.md' },
  html: { format: { type: 'html' }, field: 'html', file: 'expected.html' },
  links: { format: { type: 'links' }, field: 'links', file: 'expected.json' },
  images: { format: { type: 'images' }, field: 'images', file: 'expected.json' },
  attributes: {
    format: {
      type: 'attributes',
      selectors: [
        { selector: '.item', attribute: 'sku' },
        { selector: 'li', attribute: 'price' },
        { selector: 'nav', attribute: 'data-id' },
      ],
    },
    field: 'attributes',
    file: 'expected.json',
  },
}

const folders = (place: URL): string[] =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

for (const [name, { format, field, file }] of Object.entries(suites)) {
  describe(name, () => {
    // `UPDATE_GOLDEN=1` writes what is expected; without it, a missing file fails.
    it.each(folders(new URL(`${name}/`, fixtures)))('has the approved digest: %s', (page) => {
      const folder = new URL(`${name}/${page}/`, fixtures)
      const input = {
        url: pageUrl,
        body: readFileSync(new URL('page.html', folder)),
        contentType: 'text/html; charset=utf-8',
      }
      const made: unknown = Reflect.get(digest(input, digestPlan({ formats: [format] })).fields, field)
      const text = typeof made === 'string' ? `${made}\n` : `${JSON.stringify(made, undefined, 2)}\n`
      const expected = new URL(file, folder)
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(expected, text)
      expect(existsSync(expected), `${expected.pathname} is missing: run with UPDATE_GOLDEN=1 and read it`).toBe(true)
      expect(text).toBe(readFileSync(expected, 'utf8'))
    })
  })
}

/**
 * Not compared line by line, but by how much is there (test/quality), with more kinds of file (files-golden.test.ts,
 * test/content/office), or as trees (test/content/parse).
 */
const ELSEWHERE = ['content', 'files', 'formulas', 'html5lib', 'lists', 'office']

it('has a suite for every folder of fixtures', () => {
  expect(folders(fixtures).sort()).toEqual([...Object.keys(suites), ...ELSEWHERE].sort())
})
