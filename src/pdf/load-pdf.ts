import { TrawlError } from '../errors.js'
import { limitMaps } from './limit-maps.js'
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

/** An open file, and what gives back what it holds. */
export interface OpenPdf {
  /** Another one after `renew`. */
  readonly file: PdfFile
  /** The numbers of the library's drawing operations. */
  readonly operations: OpenLibrary['operations']
  /** Whether the file is damaged, and only what was found in it is there. */
  readonly isRepaired: boolean
  close(): Promise<void>
  /** Closes it and opens it again: what the library remembers of the pages so far goes. */
  renew(): Promise<void>
}

/**
 * Opens a PDF file with the library, which is loaded by the first. Nothing is fetched for it, nothing in it is run.
 *
 * @throws TrawlError `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_BROKEN`
 */
export async function loadPdf(bytes: Uint8Array, url: string): Promise<OpenPdf> {
  const library = await openLibrary()
  const body = limitMaps(bytes)
  try {
    return await open(library, body, false)
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    if (name === 'PasswordException') throw new TrawlError('SCRAPE_FILE_ENCRYPTED', ENCRYPTED, { url })
    const repaired = repairPdf(body)
    const opened = repaired && (await open(library, repaired, true).catch(() => undefined))
    if (opened) return opened
    throw new TrawlError('SCRAPE_FILE_BROKEN', `The PDF file cannot be read: ${message}`, { url, cause: error })
  }
}

const ENCRYPTED = 'The PDF file is encrypted, and can be read only with its password.'

async function open(library: OpenLibrary, body: Uint8Array, isRepaired: boolean): Promise<OpenPdf> {
  let task = startReading(library, body)
  const fileOf = async (): Promise<PdfFile> => {
    try {
      return (await task.promise) as PdfFile
    } catch (error) {
      await task.destroy().catch(() => undefined)
      throw error
    }
  }
  let file = await fileOf()
  return {
    get file() {
      return file
    },
    operations: library.operations,
    isRepaired,
    close: () => task.destroy(),
    async renew() {
      await task.destroy()
      task = startReading(library, body)
      file = await fileOf()
    },
  }
}

const startReading = (library: OpenLibrary, body: Uint8Array): OpeningFile =>
  library.open({
    // Of bytes of Node's own kind the library wants to know nothing.
    data: new Uint8Array(body.buffer, body.byteOffset, body.byteLength),
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
