import { describe, expect, it } from 'vitest'
import { packLinks, unpackLinks } from '../../../src/content/digest/workers/packed-links.js'
import type { FoundLink } from '../../../src/content/extract/extracted-page.js'
import { countTurns } from '../../base/concurrency/count-turns.js'

describe('the links of a page in a message between threads', () => {
  it('are the same as before', async () => {
    const links: FoundLink[] = Array.from({ length: 1003 }, (_, n) => ({
      url: `https://site.test/${n}`,
      text: 'é☃\n'.repeat(n % 3),
    }))
    links[1] = { url: 'https://site.test/', text: '', nofollow: true }
    links[999] = { url: 'https://site.test/g', text: 'g', found: { anchor: 1, path: 0, heading: 2, near: 0 } }
    expect(await unpackLinks(structuredClone(packLinks(links)))).toEqual(links)
    expect(await unpackLinks(packLinks([]))).toEqual([])
  })

  it('are restored in slices', async () => {
    const links = Array.from({ length: 10_000 }, (_, n) => ({ url: `https://site.test/${n}`, text: 'text' }))
    const { result, turns } = await countTurns(() => unpackLinks(packLinks(links)))
    expect(result).toHaveLength(10_000)
    // Two of 40 blocks in each turn, however long they take.
    expect(turns).toBeGreaterThan(15)
  })
})
