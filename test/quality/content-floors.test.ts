import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import { readWords } from '../bars/documentation-text.js'
import { readMarkdown } from '../bars/read-markdown.js'

/** What a page of `test/fixtures/content` is to come to. The words of its main content stand beside it, in `expected.txt`. */
interface Expected {
  readonly url: string
  /** Pieces of the main content. */
  readonly wanted: readonly string[]
  /** Pieces of everything else. */
  readonly unwanted: readonly string[]
}

/**
 * For each page: the least F1 of words, how many wanted pieces may be missing and how many unwanted ones may be there. They
 * are drawn up when the reading gets better; letting one go needs its reason in the commit.
 */
const bounds: Readonly<Record<string, { f1: number; missing: number; unwanted: number }>> = {
  article: { f1: 0.962, missing: 5, unwanted: 0 },
  documentation: { f1: 0.998, missing: 0, unwanted: 0 },
  forum: { f1: 0.82, missing: 0, unwanted: 1 },
  listing: { f1: 0.999, missing: 0, unwanted: 0 },
  product: { f1: 0.953, missing: 2, unwanted: 1 },
  question: { f1: 0.888, missing: 2, unwanted: 1 },
  reference: { f1: 0.939, missing: 0, unwanted: 7 },
  service: { f1: 0.973, missing: 0, unwanted: 3 },
}

const folder = new URL('../fixtures/content/', import.meta.url)
const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const open = (path: string): string => readFileSync(new URL(path, folder), 'utf8')

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of readWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The harmonic mean of how many of the words are right and how many of the right ones are there. */
function compareWords(expected: string, made: string): number {
  const counts = countWords(made)
  let common = 0
  for (const [word, count] of countWords(expected)) common += Math.min(count, counts.get(word) ?? 0)
  return (2 * common) / (readWords(expected).length + readWords(made).length)
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ')

describe('the main content of pages of every type', () => {
  it.each(readdirSync(folder))('is found: %s', async (name) => {
    const { url, wanted, unwanted } = JSON.parse(open(`${name}/expected.json`)) as Expected
    const { markdown } = await engine.parse({ url, body: open(`${name}/page.html`) })
    const { text } = readMarkdown(markdown, url)
    const isThere = (piece: string): boolean => squeeze(text).includes(squeeze(piece))
    const made = {
      f1: compareWords(open(`${name}/expected.txt`), text),
      missing: wanted.filter((piece) => !isThere(piece)),
      unwanted: unwanted.filter(isThere),
    }
    const bound = bounds[name] ?? { f1: 1, missing: 0, unwanted: 0 }
    const message = JSON.stringify(made, undefined, 2)
    expect(made.f1, message).toBeGreaterThanOrEqual(bound.f1)
    expect(made.missing.length, message).toBeLessThanOrEqual(bound.missing)
    expect(made.unwanted.length, message).toBeLessThanOrEqual(bound.unwanted)
  })
})
