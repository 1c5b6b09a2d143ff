import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, tesseractOcr } from '../../../src/index.js'
import { lines, makePdf, type PageContent } from '../pdf/make-pdf.js'

const isThere = (program: string, flag: string): boolean => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0
const missing = !isThere('tesseract', '--version')
  ? 'install tesseract-ocr'
  : !isThere('pdftoppm', '-v')
    ? 'install poppler-utils'
    : undefined
const why = missing === undefined ? '' : ` (skipped: ${missing})`

const SENTENCES = [
  'The ferry leaves the harbour at seven in the morning.',
  'It reaches the northern island before noon, unless there is fog.',
  'Whoever wants to stay over night has to ask the keeper.',
  'Two rooms look out on the sea, and one on the garden.',
]

describe.skipIf(missing !== undefined)(`tesseract${why}`, () => {
  let folder: string
  afterAll(() => rmSync(folder, { recursive: true }))
  let scan: Uint8Array
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ocr-'))
    const printed = join(folder, 'printed.pdf')
    const pages = [SENTENCES.slice(0, 2), SENTENCES.slice(2)].map((own) => ({
      pieces: lines(own, { x: 72, y: 120, size: 14 }, 20),
    }))
    writeFileSync(printed, makePdf(pages))
    const scanned = [1, 2].map((page) => {
      const args = ['-gray', '-r', '150', '-f', String(page), '-l', String(page), printed]
      return { picture: readShades(execFileSync('pdftoppm', args, { maxBuffer: 100_000_000 })) }
    })
    scan = makePdf(scanned)
  })

  it.each([0, 1])('recognises a scanned page, with %i threads', { timeout: 120_000 }, async (threads) => {
    await using engine = createEngine({ threads, ocr: tesseractOcr() })
    const { markdown, warning, metadata } = await engine.parse({ body: scan, url: 'https://a.test/scan.pdf' })
    for (const sentence of SENTENCES) expect(markdown).toContain(sentence)
    expect(warning).toBe('The text of 2 pages of the PDF file was read from pictures.')
    expect(metadata).toMatchObject({ numPages: 2, creditsUsed: 2 })
  })

  it('reports a language that is not installed', { timeout: 120_000 }, async () => {
    await using engine = createEngine({ ocr: tesseractOcr({ languages: ['tlh'] }) })
    await expect(engine.parse({ body: scan, url: 'https://a.test/scan.pdf' })).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
      message: expect.stringContaining('tlh') as string,
    })
  })
})

/** A portable graymap. @see Netpbm, PGM (P5) */
function readShades(file: Buffer): NonNullable<PageContent['picture']> {
  const [head = '', width = '', height = ''] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 40)) ?? []
  return { width: Number(width), height: Number(height), pixels: new Uint8Array(file.subarray(head.length)) }
}

it('tesseractOcr reports a missing program', async () => {
  const picture = {
    bytes: new Uint8Array(),
    mediaType: 'image/x-portable-graymap',
    page: 1,
    width: 1,
    height: 1,
  } as const
  const read = tesseractOcr({ executablePath: './no-such-program' })
  await expect(read(picture, new AbortController().signal)).rejects.toThrow(/no-such-program/)
})
