import { messageOf, TrawlError } from '../../../base/errors.js'
import { cutCycles } from './cut-cycles.js'
import { limitMaps } from './limit-maps.js'
import { limitPatterns } from './limit-patterns.js'
import { limitStreams } from './limit-streams.js'
import { NamedMaps } from './named-maps.js'
import { type OpeningFile, type OpenLibrary, openLibrary } from './open-library.js'

/** Piece of text as returned by the library. */
export interface TextItem {
  readonly str: string
  /** `ttb` for lines from top to bottom. */
  readonly dir: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly fontName: string
}

/** Text of a page, in drawing order. */
export interface TextContent {
  readonly items: readonly (TextItem | { readonly type: string; readonly tag?: string | null })[]
  readonly styles: Readonly<Record<string, { readonly fontFamily: string }>>
}

/** Drawing of a page: numbers of operations and their arguments. */
interface Drawing {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

interface Objects {
  has(name: string): boolean
  get(name: string, done?: (found: unknown) => void): unknown
}

/** Page of a file: the used part of the library's type, whose own declarations do not resolve. */
export interface PdfPage {
  readonly pageNumber: number
  readonly commonObjs: Objects
  readonly objs: Objects
  getViewport(options: { scale: number }): {
    readonly transform: readonly number[]
    readonly width: number
    readonly height: number
  }
  getTextContent(options: { includeMarkedContent: boolean }): Promise<TextContent>
  /** @param options `annotationMode` 0 leaves out what is drawn for annotations */
  getOperatorList(options: { annotationMode: number }): Promise<Drawing>
  cleanup(): void
}

/** Entry of the outline. */
export interface OutlineNode {
  readonly title: string
  readonly items?: readonly OutlineNode[]
}

/** An open file. */
export interface PdfFile {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ readonly info: object }>
  /** Reads annotations of all pages but the given ones. */
  getAnnotationsByType(
    types: ReadonlySet<number>,
    skipped: ReadonlySet<number>,
  ): Promise<Record<string, unknown>[] | null>
  getOutline(): Promise<readonly OutlineNode[] | null>
  /** Returns the layers of the file, with whether each is shown. */
  getOptionalContentConfig(): Promise<
    Iterable<readonly [string, { readonly visible: boolean }]> & { isVisible(layer: unknown): boolean }
  >
}

/** Facts about the bytes of a file. */
interface BodyFacts {
  /** True for a damaged file: only the pages that could be found are available. */
  readonly isRepaired: boolean
  /** Number of streams that were disabled because they are oversized. */
  readonly tooLong: number
}

/** Open file with its lifecycle. */
export interface OpenPdf extends BodyFacts {
  /** Replaced by `renew`. */
  readonly file: PdfFile
  /** Numbers of the library's drawing operations. */
  readonly operations: OpenLibrary['operations']
  /**
   * Returns the number of page streams that were ended since the file was opened, because a page exceeded the limits.
   */
  endedStreams(): number
  close(): Promise<void>
  /** Closes and reopens the file, which releases the library's memory of earlier pages. */
  renew(): Promise<void>
  /** Opens the file with images, which `file` skips undecoded, as a small one can unpack to gigabytes. */
  withPictures(): Promise<PdfFile>
}

/**
 * Opens a PDF file. The library is loaded on first use. Nothing is fetched, and no script in the file is run.
 *
 * @throws TrawlError `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_BROKEN`
 */
export async function loadPdf(bytes: Uint8Array, url: string): Promise<OpenPdf> {
  const library = await openLibrary()
  const { body, tooLong } = limitStreams(cutCycles(limitPatterns(limitMaps(bytes))))
  try {
    return await open(library, body, { isRepaired: isDamaged(bytes), tooLong })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(messageOf(error))
    if (name === 'PasswordException') throw new TrawlError('SCRAPE_FILE_ENCRYPTED', ENCRYPTED, { url })
    const repaired = repairPdf(body)
    const opened = repaired && (await open(library, repaired, { isRepaired: true, tooLong }).catch(() => undefined))
    if (opened) return opened
    throw new TrawlError('SCRAPE_FILE_BROKEN', `The PDF file cannot be read: ${message}`, { url, cause: error })
  }
}

const ENCRYPTED = 'The PDF file is encrypted, and can be read only with its password.'

/** Maximum number of pixels of an image for OCR: a page at 600 dpi has 35 million. */
export const MAX_IMAGE_PIXELS = 100_000_000

async function open(library: OpenLibrary, body: Uint8Array, facts: BodyFacts): Promise<OpenPdf> {
  let task = startReading(library, body, 0)
  let withPictures: OpeningFile | undefined
  let file = await fileOf(task)
  const close = async (): Promise<void> => {
    await Promise.all([task.destroy(), withPictures?.destroy()])
    withPictures = undefined
  }
  return {
    get file() {
      return file
    },
    operations: library.operations,
    ...facts,
    endedStreams: () => task.endedStreams(),
    close,
    async renew() {
      await close()
      task = startReading(library, body, 0)
      file = await fileOf(task)
    },
    withPictures() {
      withPictures ??= startReading(library, body, MAX_IMAGE_PIXELS)
      return fileOf(withPictures)
    },
  }
}

async function fileOf(task: OpeningFile): Promise<PdfFile> {
  try {
    return (await task.promise) as PdfFile
  } catch (error) {
    await task.destroy().catch(() => undefined)
    throw error
  }
}

/** @param maxImageSize maximum number of pixels of an image; larger ones are left out of pages without being decoded */
const startReading = (library: OpenLibrary, body: Uint8Array, maxImageSize: number): OpeningFile =>
  library.open({
    // The library refuses Node's `Buffer`.
    data: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    maxImageSize,
    isEvalSupported: false,
    // If this is `false`, the library reads the outlines of all glyphs.
    disableFontFace: false,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    useWorkerFetch: false,
    CMapReaderFactory: NamedMaps,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableAutoFetch: true,
    disableRange: true,
    disableStream: true,
    fontExtraProperties: true,
  })

/** Number of bytes at the end of a file that are searched for its trailer, as some programs append data. */
const TAIL_BYTES = 2048
/** Number of bytes at the start of a file that are searched for its header. */
const HEAD_BYTES = 1024
/** Number of bytes that are read to recognize a cross-reference table. */
const LIST_BYTES = 64

/**
 * Tests if the end of a PDF file is missing, or its cross-reference table is not where the trailer says. The library
 * then searches for the objects itself, without reporting missing ones.
 *
 * @see ISO 32000-1 section 7.5.5
 */
function isDamaged(body: Uint8Array): boolean {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let end = file.length
  while (end > 0 && isBlank(file[end - 1])) end -= 1
  const tail = file.toString('latin1', Math.max(0, end - TAIL_BYTES), end)
  const place = /^startxref\s{0,20}(\d{1,12})/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))))?.[1]
  if (place === undefined) return true
  const start = Math.max(0, file.subarray(0, HEAD_BYTES).indexOf('%PDF-'))
  return ![0, start].some((shift) => {
    const at = parseInt(place, 10) + shift
    return /^\s{0,20}(?:xref|\d{1,10}\s{1,5}\d{1,5}\s{1,5}obj)/.test(file.toString('latin1', at, at + LIST_BYTES))
  })
}

const isBlank = (byte = 0): boolean => byte === 0 || byte === 10 || byte === 13 || byte === 32

/** Maximum number of pages that are searched for in a damaged file. */
const MAX_PAGES = 20_000

/**
 * Repairs a truncated file by appending a list of the pages that are left. Undefined for files with object streams and
 * for encrypted ones.
 *
 * @see ISO 32000-1 section 7.7.2
 */
function repairPdf(body: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (text.includes('/Encrypt')) return undefined
  const pages: string[] = []
  let highest = 0
  for (const match of text.matchAll(/\/Type\s{0,4}\/Page(?![A-Za-z])/g)) {
    const start = text.lastIndexOf(' obj', match.index)
    const number = /(\d{1,9}) \d{1,5}$/.exec(text.slice(Math.max(0, start - 20), start))?.[1]
    if (number === undefined || text.indexOf('endobj', match.index) < 0 || pages.length >= MAX_PAGES) break
    pages.push(`${number} 0 R`)
    highest = Math.max(highest, parseInt(number, 10))
  }
  if (pages.length === 0) return undefined
  const [catalog, tree] = [highest + 1_000_001, highest + 1_000_000]
  const rest = [
    `\n${tree} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(' ')}] >>\nendobj`,
    `${catalog} 0 obj\n<< /Type /Catalog /Pages ${tree} 0 R >>\nendobj`,
    `trailer\n<< /Root ${catalog} 0 R /Size ${catalog + 1} >>\nstartxref\n0\n%%EOF\n`,
  ].join('\n')
  // Readers skip data between a cross-reference table and its end.
  const list = text.lastIndexOf('\nxref')
  const isOpen = list >= 0 && text.indexOf('trailer', list) < 0
  return Buffer.concat([isOpen ? body.subarray(0, list) : body, Buffer.from(rest, 'latin1')])
}
