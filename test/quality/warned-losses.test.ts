import { pathToFileURL, fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCollection } from '../../benchmarks/quality/collection.js'
import { createEngine } from '../../src/index.js'

const found = findCollection(fileURLToPath(new URL('../../', import.meta.url)))
const missing = 'missing' in found ? found.missing : undefined

const SETS = ['wcxb', 'aeb', 'traf', 'fundus', 'turing', 'zh', 'wcxb2', 'recipes', 'courts', 'products', 'events']

/** Share of the wanted words, of those that the page shows, below which a page is bad, and from which on it is good. */
const BAD = 0.5
const GOOD = 0.9
/** Maximum share of good pages with a warning that something was left out. */
const MAX_WARNED = 0.02
/**
 * Minimum wanted words that the page shows, and minimum share of all that are wanted: fewer say little, or were read elsewhere. With 50
 * words, a court's list of six cases (36 words) could go without being looked at; names and days of a meeting are some 10.
 */
const MIN_SEEN = 20
const MIN_SEEN_SHARE = 0.5

/** A page of the collection: a reference text, or strings that a reader must find. */
interface ReferencePage {
  readonly id: string
  readonly url?: string
  readonly html: string
  readonly text?: string
  readonly want?: readonly string[]
  readonly wants?: readonly string[]
}

interface Collection {
  loadSet(folder: string, set: string, half: string): ReferencePage[]
}

/** Words of a text, each character of scripts without spaces by itself, with their number. */
function countEach(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu

/** The texts of Markdown, without the addresses of its links. */
const textOf = (markdown: string): string =>
  markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)/g, '] ')

/** Returns the share of the wanted words that the page shows which are in the content; undefined for a page with too few. */
function recallOf({ text, want, wants }: ReferencePage, content: string, whole: string): number | undefined {
  const wanted = countEach(text ?? (want ?? wants ?? []).join('\n'))
  const inContent = countEach(textOf(content))
  const inWhole = countEach(textOf(whole))
  let all = 0
  let seen = 0
  let kept = 0
  for (const [word, count] of wanted) {
    const own = Math.min(count, inContent.get(word) ?? 0)
    all += count
    seen += Math.max(own, Math.min(count, inWhole.get(word) ?? 0))
    kept += own
  }
  return seen < MIN_SEEN || seen < MIN_SEEN_SHARE * all ? undefined : kept / seen
}

/** Words of a warning that content was left out, but for those of text that no reader sees. */
const SAYS_LOSS = /(?<!no reader sees are )left out|of the page's \d+ visible words/

test.skipIf(missing)(
  `pages of the quality collection that lose most of their text say so, and hardly any other does${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 900_000 },
  async () => {
    if ('missing' in found) return
    const { loadSet } = (await import(pathToFileURL(join(found.folder, 'lib/archive.mjs')).href)) as Collection
    await using engine = createEngine({ threads: 0 })
    const silent: string[] = []
    const warned: string[] = []
    let good = 0
    for (const set of SETS) {
      for (const page of loadSet(join(found.folder, 'data'), set, 'all')) {
        const { id, html: body, url = '' } = page
        const input = { body, url: /^https?:/i.test(url) ? url.trim() : 'https://example.com/' }
        const { markdown, warning = '' } = await engine.parse(input)
        const whole = await engine.parse(input, { onlyMainContent: false })
        const recall = recallOf(page, markdown, whole.markdown)
        if (recall === undefined) continue
        const line = `${set}/${id} ${recall.toFixed(2)} ${warning}`
        if (recall < BAD && !SAYS_LOSS.test(warning)) silent.push(line)
        if (recall < GOOD) continue
        good += 1
        if (SAYS_LOSS.test(warning)) warned.push(line)
      }
    }
    console.log(`${warned.length} of ${good} good pages have a warning.`)
    expect(silent, silent.join('\n')).toEqual([])
    expect(warned.length / good, warned.join('\n')).toBeLessThanOrEqual(MAX_WARNED)
  },
)
