import type { OutlineNode, PdfFile } from '../library/load-pdf.js'
import type { OutlineEntry } from '../page-text.js'

/** Metadata of a file. */
export interface FileMetadata {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly keywords?: string
  readonly language?: string
  /** ISO 8601. */
  readonly publishedTime?: string
  /** ISO 8601. */
  readonly modifiedTime?: string
}

/** Reads the information dictionary of a file. @see ISO 32000-1 section 14.3.3 */
export async function readMetadata(file: PdfFile): Promise<FileMetadata> {
  const found = await file.getMetadata().catch(() => undefined)
  const info = (found?.info ?? {}) as Record<string, unknown>
  const text = (name: string): string | undefined => {
    const value = info[name]
    const shown =
      typeof value === 'string'
        ? value
            .replace(/[\p{Cc}\s]+/gu, ' ')
            .trim()
            .slice(0, 2000)
        : ''
    return shown === '' ? undefined : shown
  }
  const title = text('Title')
  return omitAbsent({
    title: title === undefined || isPlaceholderTitle(title) ? undefined : title,
    author: text('Author'),
    description: text('Subject'),
    keywords: text('Keywords'),
    language: text('Language'),
    publishedTime: readDate(text('CreationDate')),
    modifiedTime: readDate(text('ModDate')),
  })
}

/** Returns the name of the program that made a file; empty if it is unknown. Chromium writes `Skia/PDF m147`. */
export async function readProducer(file: PdfFile): Promise<string> {
  const found = await file.getMetadata().catch(() => undefined)
  const producer = (found?.info as Record<string, unknown> | undefined)?.['Producer']
  return typeof producer === 'string' ? producer : ''
}

/** Tests if a title is a file name, which programs write if the author gave no title. */
const isPlaceholderTitle = (title: string): boolean =>
  /^(?:untitled|unknown|no title|microsoft word - .*|\S*\.(?:dvi|docx?|tex|indd|qxd|ps|eps|xml|html?|odt|rtf|fm|book|txt))$/i.test(
    title,
  )

/** Converts a date such as `D:20240131120000+01'00'` to ISO 8601. @see ISO 32000-1 section 7.9.4 */
function readDate(text: string | undefined): string | undefined {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text ?? '')
  if (!match) return undefined
  const [
    ,
    year = '',
    month = '01',
    day = '01',
    hours = '00',
    minutes = '00',
    seconds = '00',
    ,
    sign = '',
    zoneHours,
    zoneMinutes = '00',
  ] = match
  const zone = zoneHours === undefined ? 'Z' : `${sign}${zoneHours}:${zoneMinutes}`
  const date = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${zone}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const omitAbsent = (fields: { [Name in keyof FileMetadata]: FileMetadata[Name] | undefined }): FileMetadata =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Maximum number of outline entries. */
const MAX_ENTRIES = 20_000
const MAX_DEPTH = 8

/** Reads the outline of a file; empty if it has none. */
export async function readOutline(file: PdfFile): Promise<OutlineEntry[]> {
  const roots = (await file.getOutline().catch(() => undefined)) ?? []
  const found: OutlineEntry[] = []
  let level: readonly OutlineNode[] = roots
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.length < MAX_ENTRIES; depth++) {
    for (const { title } of level) found.push({ title, depth })
    level = level.flatMap(({ items = [] }) => items)
  }
  return found
}
