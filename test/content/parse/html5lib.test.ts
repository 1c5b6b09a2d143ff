import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TreeComparison } from './compare-trees.js'
import { intendedDifferences } from './html5lib-differences.js'

/** Inputs of html5lib's tests of tree construction, by file. See test/fixtures/html5lib/README.md. */
const cases = JSON.parse(
  readFileSync(new URL('../../fixtures/html5lib/cases.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>

/** Cases that may differ, as `file number`. */
const intended = new Set(
  Object.values(intendedDifferences).flatMap((files) =>
    Object.entries(files).flatMap(([file, numbers]) => numbers.map((number) => `${file} ${number}`)),
  ),
)

const differing = new Map<string, string>()
for (const [file, sources] of Object.entries(cases)) {
  for (const [number, html] of sources.entries()) {
    const aspects = new TreeComparison(html).differing
    if (aspects.length > 0) differing.set(`${file} ${number}`, `${aspects.join(', ')}: ${html}`)
  }
}

describe("html5lib's cases of tree construction", () => {
  it('give the same text, links and structure as in parse5', () => {
    expect(Object.values(cases).flat().length).toBeGreaterThan(1500)
    expect(Array.from(differing).filter(([name]) => !intended.has(name))).toEqual([])
  })

  it('include each case that is listed as different on purpose', () => {
    expect(Array.from(intended).filter((name) => !differing.has(name))).toEqual([])
  })

  it('have the same links, but for links that are not closed', () => {
    const linked = Array.from(differing).filter(([, found]) => /^(?:text, )?links/.test(found))
    expect(linked.map(([name]) => name)).toEqual(['tests1 77', 'tests1 79'])
  })
})
