import type { MediaSink } from '../../../base/media/media.js'
import type { Ocr } from '../../../content/ocr/ocr.js'
import type { ImageParser } from '../../../content/parse/image-parser.js'
import { wholeNumber } from '../fields/basic-schemas.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../option-definition.js'
import { isFunction } from './value-tests.js'

/** Settings of an engine for reading pages and files, and for the files that it makes. */
export interface FileConfig {
  /**
   * Number of worker threads for parsing and converting. 0 runs both on the host's thread, which is released only between
   * the steps of a page and the pages of a file; a `timeout` takes effect at these points only.
   * @default the number of cores minus one, at least 1; on Linux, one more while all of these are busy and the host's thread is not
   */
  threads?: number
  /**
   * Time limit of reading a file that is not a web page, such as PDF, in milliseconds. Beyond it, the page fails with
   * `SCRAPE_FILE_TOO_COMPLEX`; a shorter `timeout` of the page applies first, with `SCRAPE_TIMEOUT`. Without threads, reading
   * ends between two steps.
   * @default 60000
   */
  fileTimeoutMs?: number
  /**
   * Maximum length of each part of a document, such as its Markdown, its HTML, its links, the rows of its list: 65,536 to
   * 67,108,864 characters. Beyond it, relative addresses stay relative, and targets, marks and repeated cells are left out;
   * then the end. The document's `warning` says what. `rawHtml`, and the Markdown of text that is given as received (plain
   * text, Markdown, JSON, XML, source code), are exempt: they are as long as what was received.
   * @default four times the bytes of the page, at least 1,048,576 and at most 33,554,432; of an office file, of its unpacked parts
   */
  maxDocumentLength?: number
  /**
   * Recognises the text of images, for scanned PDF files: `tesseractOcr()`, or a function of your own.
   * @default none: such files fail with `SCRAPE_PDF_OCR_REQUIRED`
   */
  ocr?: Ocr
  /**
   * Converts an image to the Markdown of its page. It is used for every image, unless a request's `parsers` omit `image`.
   * A crawl follows links to images only if its `parsers` contain `image`.
   * @default none: an image fails with `SCRAPE_UNSUPPORTED_FILE_ERROR`
   */
  imageParser?: ImageParser
  /**
   * Destination of screenshots, PDF, audio, video and original files: the path of a folder, or a function that stores a file and
   * returns its URL for the document, such as `storeMedia(store, { baseUrl })` and
   * `s3Media(…)`.
   * @default none: they are inlined in the document as `data:` URIs, audio, video and originals of up to 8 MiB
   */
  media?: string | MediaSink
}

/** Definitions of {@link FileConfig}. @internal */
export const fileDefinitions = {
  threads: {
    schema: (z) => wholeNumber(z, 'threads', 0).max(256).optional(),
    help: 'Worker threads for parsing and conversion; 0 for none. Default: cores - 1, at least 1, and one more at times on Linux',
  },
  fileTimeoutMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 1).optional(),
    default: 60_000,
    help: 'Maximum time to read one file, such as a PDF. Milliseconds',
  },
  maxDocumentLength: {
    schema: (z) => wholeNumber(z, 'characters', 65_536).max(67_108_864).optional(),
    help: 'Maximum characters in each part of a document. Default: four times the page, 1 MiB to 32 MiB',
  },
  ocr: { schema: (z) => z.custom<Ocr>(isFunction, mustBe('a function')).optional(), help: false },
  imageParser: { schema: (z) => z.custom<ImageParser>(isFunction, mustBe('a function')).optional(), help: false },
  media: {
    schema: (z) =>
      z
        .union([z.string().min(1), z.custom<MediaSink>(isFunction, mustBe('the path of a folder, or a function'))])
        .optional(),
    help: 'Folder for screenshots, PDF, audio, video and original files. Default: inlined in the document',
  },
} as const satisfies OptionDefinitions<FileConfig>
