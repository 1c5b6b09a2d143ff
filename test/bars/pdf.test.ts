import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../src/index.js'
import { compareWords, wordsOf } from './compare-words.js'
import { packagedPdfs, type PackagedPdf } from './packaged-pdfs.js'
import { findMarked, type Found } from './find-marked.js'
import { type MarkedPage, markedPages } from './marked-pdfs.js'
import { readReference } from './reference-text.js'

/** `npm run test:bars` reads every file; without it, the short ones of each kind. */
const isWhole = process.env['BARS'] === 'whole'
/** Where the packages are unpacked: `PDF_ROOT`, else the system's own folder. */
const root = process.env['PDF_ROOT'] ?? '/usr/share'
const SHORT = /R-data|fhs|mom-pdf|letter|sigconf|llncs|CJKpunct/

/**
 * Of the reference's words at least this share is there, and this share in the same order. The order is one for all files, that in
 * which they draw their text: programs write it as it is to be read. Poppler's own reads tables column by column, and its third
 * reads over columns of text.
 */
const BARS = { words: 0.97, order: 0.95, speed: 0.5 } as const

/** Where a file is not at the bar: what it has reached. Each figure that can go is a gain. */
const reached: Readonly<Record<string, Partial<Record<keyof typeof BARS, number>>>> = {
  // Its heads and the lines of its two scripts are put otherwise by poppler: `bib نمونهی` for نمونهی فایل bib on page 9.
  'doc/texlive-doc/bibtex/alpha-persian/alpha-persian-p.userguide.pdf': { order: 0.9 },
  // Lines that poppler has wrong and that have no Arabic letter left in them are among those compared.
  'doc/texlive-doc/latex/arabi/user_guide.pdf': { words: 0.83, order: 0.79 },
}

/** Of the marked headings, their levels and tables so many are found; of what is shown as one, so many are none. */
const MARKED = { headings: 0.96, levels: 1, tables: 1, wrongHeadings: 0.02, wrongTables: 0 } as const

const isThere = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdf-bar-'))
})
const engine = createEngine({ threads: 0 })
const table = [
  '| file | pages | words | order | pages a second | of the plain text |',
  '| --- | ---: | ---: | ---: | ---: | ---: |',
]
let [ownMs, plainMs] = [0, 0]

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
  if (isWhole) console.log([...table, `All: ${(plainMs / ownMs).toFixed(2)} of the plain library's speed`].join('\n'))
})

/** Markdown without its signs and addresses; its footnotes apart, which stand where the file has them elsewhere. */
function splitMarkdown(markdown: string): { readonly main: string; readonly notes: string } {
  const text = markdown
    .replace(/\]\([^)\s]*\)/g, ' ')
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/<br ?\/?>|<\/?su[bp]>/g, ' ')
    .replace(/(?<=[\p{L}\p{N}])[*`]+(?=[\p{L}\p{N}])/gu, '')
  const at = text.search(/^\[\^[^\]]+\]: /m)
  return at < 0 ? { main: text, notes: '' } : { main: text.slice(0, at), notes: text.slice(at) }
}

function measure(markdown: string, path: string, file: PackagedPdf): { words: number; order: number } {
  const { main, notes } = splitMarkdown(markdown)
  const own = { all: wordsOf(`${main}\n${notes}`), main: wordsOf(main), notes: wordsOf(notes) }
  const reference = wordsOf(readReference(path, file))
  const { order } = compareWords(reference, own.main)
  const inNotes = own.notes.length > 0 ? compareWords(reference, own.notes).order : 0
  return { words: compareWords(reference, own.all).words, order: order + inNotes }
}

function readPacked(source: string): Uint8Array {
  const packed = readFileSync(source)
  return new Uint8Array(source.endsWith('.gz') ? gunzipSync(packed) : packed)
}

/** Processor time, which others on the machine do not lengthen. Milliseconds. */
async function timeOf<T>(work: () => Promise<T>): Promise<{ made: T; ms: number }> {
  const before = process.cpuUsage()
  const made = await work()
  const { user, system } = process.cpuUsage(before)
  return { made, ms: (user + system) / 1000 }
}

describe.each(packagedPdfs.filter(({ path }) => isWhole || SHORT.test(path)))('$path', (file) => {
  const source = join(root, file.path)
  const missing = !isThere ? 'install poppler-utils' : existsSync(source) ? undefined : `install ${file.package}`
  const why = missing === undefined ? '' : ` (skipped: ${missing})`
  test.skipIf(missing !== undefined)(`has its words, in their order${why}`, { timeout: 1_200_000 }, async () => {
    const body = readPacked(source)
    const path = join(folder, 'file.pdf')
    writeFileSync(path, body)
    // Once for the compiler, as whoever reads files reads more than one.
    if (ownMs === 0) await engine.parse({ body, url: 'https://file.test/x.pdf' })
    const plain = await timeOf(() => extractText(body.slice()))
    const { made, ms } = await timeOf(() => engine.parse({ body, url: 'https://file.test/x.pdf' }))
    const share = measure(made.markdown ?? '', path, file)
    const pages = made.metadata.numPages ?? 0
    ownMs += ms
    plainMs += plain.ms
    const cells = [
      share.words.toFixed(4),
      share.order.toFixed(4),
      ((1000 * pages) / ms).toFixed(0),
      (plain.ms / ms).toFixed(2),
    ]
    table.push(`| ${file.path} | ${pages} | ${cells.join(' | ')} |`)
    const bars = { ...BARS, ...reached[file.path] }
    expect(share.words, 'share of the words').toBeGreaterThanOrEqual(bars.words)
    expect(share.order, 'share of the words in the same order').toBeGreaterThanOrEqual(bars.order)
  })
})

const marked = markedPages.filter(({ path }) => existsSync(join(root, path)))

test.skipIf(marked.length < markedPages.length)(
  'finds the headings and tables that are marked by eye',
  { timeout: 600_000 },
  async () => {
    const found: (Found & Pick<MarkedPage, 'path' | 'page'>)[] = []
    for (const page of marked) {
      const body = readPacked(join(root, page.path))
      const made = await engine.parse(
        { body, url: 'https://file.test/x.pdf' },
        { parsers: [{ type: 'pdf', maxPages: page.page + 12, pageMarkers: true }] },
      )
      found.push({ path: page.path, page: page.page, ...findMarked(made.markdown ?? '', page) })
    }
    const sum = (count: (one: (typeof found)[number]) => number): number =>
      found.reduce((all, one) => all + count(one), 0)
    const [headings, tables] = [sum((one) => one.headings.marked), sum((one) => one.tables.marked)]
    const seen = JSON.stringify(found, undefined, 1)
    expect(sum((one) => one.headings.found) / headings, seen).toBeGreaterThanOrEqual(MARKED.headings)
    expect(sum((one) => one.levels.right) / sum((one) => one.levels.pairs), seen).toBeGreaterThanOrEqual(MARKED.levels)
    expect(sum((one) => one.tables.found) / tables, seen).toBeGreaterThanOrEqual(MARKED.tables)
    expect(sum((one) => one.headings.wrong.length) / headings, seen).toBeLessThanOrEqual(MARKED.wrongHeadings)
    expect(sum((one) => one.tables.wrong.length) / tables, seen).toBeLessThanOrEqual(MARKED.wrongTables)
  },
)

test.runIf(isWhole)('reads pages at half the speed at least at which the library gives their bare text', () => {
  expect(plainMs / Math.max(1, ownMs)).toBeGreaterThanOrEqual(BARS.speed)
})
