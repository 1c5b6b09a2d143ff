import { TrawlError } from '../../../base/errors.js'
import { isProtectedContainer, openZip, type Zip, type ZipLimits } from './zip.js'

/** Kinds of office files that are zip archives; OpenDocument files can also be a single XML file. */
export type OfficeKind = 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'epub'

/** Kinds by media type, including those of templates and of files with macros. Macros are not read. */
const BY_TYPE: ReadonlyMap<string, OfficeKind> = new Map<string, OfficeKind>([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.ms-word.template.macroenabled.12', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.template', 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['application/vnd.ms-excel.template.macroenabled.12', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.template', 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  ['application/vnd.ms-powerpoint.slideshow.macroenabled.12', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.text-template', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.spreadsheet-template', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.presentation-template', 'odp'],
  ['application/vnd.oasis.opendocument.text-flat-xml', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet-flat-xml', 'ods'],
  ['application/vnd.oasis.opendocument.presentation-flat-xml', 'odp'],
  ['application/epub+zip', 'epub'],
])

/** Generic media types that servers send for zip archives. */
const ANY_ZIP = new Set(['application/zip', 'application/x-zip-compressed', 'application/x-zip'])

/**
 * Media types of the older container format (OLE). Files with a password are stored in it as well.
 *
 * @see https://learn.microsoft.com/openspecs/office_file_formats/ms-offcrypto/
 */
const CONTAINERS = new Set([
  'application/x-ole-storage',
  'application/x-cfb',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
])

const known = new WeakMap<Uint8Array, OfficeKind | 'none'>()

/**
 * Detects the kind of an office file: by its contents if it is a zip archive, otherwise by its media type.
 *
 * @param mediaType in lower case, without parameters
 */
export function findOfficeKind(mediaType: string, body: Uint8Array): OfficeKind | undefined {
  // Any kind of this container will do, because the file cannot be read.
  if (CONTAINERS.has(mediaType)) return isProtectedContainer(body) ? 'docx' : undefined
  const named = BY_TYPE.get(mediaType)
  if (named === undefined && !ANY_ZIP.has(mediaType)) return undefined
  // Cached, because each parser asks.
  const found = known.get(body) ?? detectByContents(body) ?? 'none'
  known.set(body, found)
  return found === 'none' ? named : found
}

const MIB = 1024 * 1024

/** Limits of unpacking for detection, which runs on any thread. */
const DETECTION_LIMITS: ZipLimits = { entries: 20_000, entryBytes: MIB, totalBytes: 2 * MIB, ratio: 1000 }

function detectByContents(body: Uint8Array): OfficeKind | undefined {
  try {
    const zip = openZip(body, DETECTION_LIMITS)
    return byMimetype(zip) ?? byParts(zip)
  } catch (error) {
    // An archive that cannot be opened has no detectable kind; the parser reports the fault.
    if (error instanceof TrawlError) return undefined
    throw error
  }
}

/** @see OpenDocument 1.3 part 2, section 3.3; EPUB OCF 3.3, section 4.3 */
function byMimetype(zip: Zip): OfficeKind | undefined {
  const bytes = zip.read('mimetype')
  return bytes === undefined || bytes.length > 200 ? undefined : BY_TYPE.get(new TextDecoder().decode(bytes).trim())
}

const MAIN_TYPE =
  /openxmlformats-officedocument\.(wordprocessing|spreadsheet|presentation)ml\.(?:document|sheet|presentation|slideshow|template)\.main\+xml|vnd\.ms-(word|excel|powerpoint)\.[\w.]+\.main\+xml/i

const BY_WORD: ReadonlyMap<string, OfficeKind> = new Map<string, OfficeKind>([
  ['wordprocessing', 'docx'],
  ['word', 'docx'],
  ['spreadsheet', 'xlsx'],
  ['excel', 'xlsx'],
  ['presentation', 'pptx'],
  ['powerpoint', 'pptx'],
])

/** @see ECMA-376 part 2, section 7.2.3 */
function byParts(zip: Zip): OfficeKind | undefined {
  if (zip.has('word/document.xml')) return 'docx'
  if (zip.has('xl/workbook.xml')) return 'xlsx'
  if (zip.has('ppt/presentation.xml')) return 'pptx'
  if (zip.has('META-INF/container.xml')) return 'epub'
  const types = zip.read('[Content_Types].xml')
  const [, word, program] = MAIN_TYPE.exec(types === undefined ? '' : new TextDecoder().decode(types)) ?? []
  return BY_WORD.get((word ?? program ?? '').toLowerCase())
}
