import { messageOf, TrawlError } from '../../errors.js'
import { isDamaged } from './is-damaged.js'
import { limitMaps } from './limit-maps.js'
import { limitStreams } from './limit-streams.js'
import { type OpeningFile, type OpenLibrary, openLibrary } from './open-library.js'
import { repairPdf } from './repair-pdf.js'

/** A piece of text as the library gives it. */
export interface TextItem {
  readonly str: string
  readonly dir: string
  readonly transform: readonly number[]
  readonly width: number
  readonly fontName: string
}

/** The text of a page, in the order in which it is drawn. */
export interface TextContent {
  readonly items: readonly (TextItem | { readonly type: string })[]
  readonly styles: Readonly<Record<string, { readonly fontFamily: string }>>
}

/** What is drawn on a page: the numbers of operations, and what they are given. */
export interface Drawing {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

interface Objects {
  has(name: string): boolean
  get(name: string, done?: (found: unknown) => void): unknown
}

/** One page of a file. The library's own types do not resolve: this is what is used of it. */
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

/** An entry of the table of contents. */
export interface OutlineNode {
  readonly title: string
  readonly items?: readonly OutlineNode[]
}

/** An open file. */
export interface PdfFile {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ readonly info: object }>
  /** Of the pages whose indexes are not given. */
  getAnnotationsByType(
    types: ReadonlySet<number>,
    skipped: ReadonlySet<number>,
  ): Promise<Record<string, unknown>[] | null>
  getOutline(): Promise<readonly OutlineNode[] | null>
}

/** What was found out about the bytes of a file. */
interface BodyFacts {
  /** Whether the file is damaged, and only what was found in it is there. */
  readonly isRepaired: boolean
  /** Streams that were left out because they are too long when they are unpacked. */
  readonly tooLong: number
}

/** An open file, and what gives back what it holds. */
export interface OpenPdf extends BodyFacts {
  /** Another one after `renew`. */
  readonly file: PdfFile
  /** The numbers of the library's drawing operations. */
  readonly operations: OpenLibrary['operations']
  /** How many pages were cut off because they came to too much, since it was opened. */
  cuts(): number
  close(): Promise<void>
  /** Closes it and opens it again: what the library remembers of the pages so far goes. */
  renew(): Promise<void>
  /** The same file with its pictures, which `file` leaves out undecoded: a small one may unpack to gigabytes. */
  withPictures(): Promise<PdfFile>
}

/**
 * Opens a PDF file with the library, which is loaded by the first. Nothing is fetched for it, nothing in it is run.
 *
 * @throws TrawlError `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_BROKEN`
 */
export async function loadPdf(bytes: Uint8Array, url: string): Promise<OpenPdf> {
  const library = await openLibrary()
  const { body, tooLong } = limitStreams(limitMaps(bytes))
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

/** Dots of a picture that is read for its text at most: a page at 600 dots per inch has 35 million. */
export const MAX_PICTURE_DOTS = 100_000_000

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
    cuts: () => task.cuts(),
    close,
    async renew() {
      await close()
      task = startReading(library, body, 0)
      file = await fileOf(task)
    },
    withPictures() {
      withPictures ??= startReading(library, body, MAX_PICTURE_DOTS)
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

/** @param maxImageSize pictures of more dots are left out of the drawings of pages, without being decoded */
const startReading = (library: OpenLibrary, body: Uint8Array, maxImageSize: number): OpeningFile =>
  library.open({
    // Of bytes of Node's own kind the library wants to know nothing.
    data: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
    maxImageSize,
    isEvalSupported: false,
    // Else the outlines of all letters are read, to be drawn.
    disableFontFace: false,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableAutoFetch: true,
    disableRange: true,
    disableStream: true,
    fontExtraProperties: true,
  })
