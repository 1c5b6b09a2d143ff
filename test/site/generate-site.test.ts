import { expect, test } from 'vitest'
import { generateSite } from './generate-site.js'

const site = generateSite({ pages: 300, seed: 7 })

test('a generated site is the same each time, and another with another seed', () => {
  expect(generateSite({ pages: 300, seed: 7 })).toEqual(site)
  expect(generateSite({ pages: 300, seed: 8 })).not.toEqual(site)
})

test('it has the pages asked for, of realistic size', () => {
  const bytes = [...site.values()].map((html) => html.length)
  expect(site.size).toBe(300)
  expect(Math.min(...bytes)).toBeGreaterThan(9_000)
  expect(Math.max(...bytes)).toBeLessThan(90_000)
})

test('every page is linked from another, and has its title, breadcrumbs and headings', () => {
  const linked = new Set(
    [...site.values()].flatMap((html) => [...html.matchAll(/href="([^"#?]*)/g)].map((match) => match[1])),
  )
  expect([...site.keys()].filter((path) => !linked.has(path))).toEqual([])
  for (const html of site.values()) expect(html).toMatch(/<title>[^<]+<[^]*Breadcrumbs[^]*<h1>/)
})

test('it has dead links, second addresses and links out', () => {
  const all = [...site.values()].join('')
  expect(all).toContain('href="/gone/')
  expect(all).toContain('?view=print')
  expect(all).toContain('https://example.org/')
})
