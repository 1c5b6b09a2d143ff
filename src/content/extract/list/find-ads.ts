import { parseUrl } from '../../../base/url.js'
import type { Entry } from './find-groups.js'
import type { ListField, ListRow } from './page-list.js'
import type { Cell } from './read-cells.js'

/** An entry, with its values and the row that they are. */
interface ReadEntry {
  readonly entry: Entry
  readonly cells: readonly Cell[]
  readonly item: ListRow
}

const AD_CLASS =
  /(?:^|\s|(?<!(?:^|[\s_-])(?:no|non|without|hide))[_-])(?:ads?(?![_-]?free(?:$|[\s_-]))|advert|advertisement|advertorial|sponsored|promoted)(?:$|[\s_-])/iu
/** The label of an advertisement. */
const AD_LABEL =
  /^[([]?(?:ads?|advert|advertisement|sponsored|promoted|anzeige|werbung|gesponsert|annonce|publicité|sponsorisé|anuncio|patrocinado|publicidad|pubblicità|sponsorizzato|anúncio|advertentie|gesponsord|reklama|sponsorowane|annons|реклама|広告|スポンサー|广告|推广|광고)[)\]]?$/iu
/** Maximum characters of a class attribute that are read. */
const MAX_CLASSES = 500

/** Minimum share of the rows that have a field which advertisements lack, and that have an address alike. */
const COMMON_SHARE = 0.9
/** Minimum share of these fields that an advertisement lacks. */
const LACKING_SHARE = 0.5
/** Maximum share of rows that are advertisements. Of a page of offers, all entries may be marked as such. */
const MAX_SHARE = 0.5

/** Rows of a list, and what they are read from. */
interface ReadRows {
  readonly entries: readonly ReadEntry[]
  readonly fields: readonly ListField[]
  /** True for a table of data, whose values are no labels. */
  readonly isTable: boolean
}

/**
 * Finds the rows that are advertisements between the entries: they are marked as such, or lack the fields of the others and
 * lead elsewhere.
 */
export function findAds({ entries, fields, isTable }: ReadRows): ReadonlySet<ListRow> {
  const marked = entries
    .filter((entry) => isSponsored(entry) || (!isTable && isLabelled(entry)))
    .map(({ item }) => item)
  const other = findUnlike(
    entries.map(({ item }) => item),
    fields,
  )
  const ads = new Set([...(marked.length <= entries.length * MAX_SHARE ? marked : []), ...other])
  return ads.size <= entries.length * MAX_SHARE ? ads : new Set()
}

const isSponsored = ({ cells }: ReadEntry): boolean =>
  cells.some(
    ({ kind, element: { attribs } }) => kind === 'url' && /(?:^|\s)sponsored(?:\s|$)/iu.test(attribs['rel'] ?? ''),
  )

const isLabelled = ({ entry, cells }: ReadEntry): boolean =>
  entry.some(({ attribs }) => AD_CLASS.test((attribs['class'] ?? '').slice(0, MAX_CLASSES))) ||
  cells.some(({ kind, value }) => kind === 'text' && AD_LABEL.test(value))

/** Lists rows without most of the fields that nearly all rows have, whose address is none like those of the others. */
export function findUnlike(items: readonly ListRow[], fields: readonly ListField[]): ListRow[] {
  const shareOf = (test: (item: ListRow) => boolean): number =>
    items.filter((item) => test(item)).length / Math.max(1, items.length)
  const link = fields.find(({ name, type }) => type === 'url' && name === 'url')?.name
  const title = fields.find(({ type }) => type === 'text')?.name
  const common = fields.filter(
    ({ name }) => name !== link && name !== title && shareOf((item) => Object.hasOwn(item, name)) >= COMMON_SHARE,
  )
  if (link === undefined || common.length === 0) return []
  const places = new Map<string, number>()
  for (const item of items) places.set(placeOf(item[link]), (places.get(placeOf(item[link])) ?? 0) + 1)
  const [[usual, count] = ['', 0]] = [...places].sort(([, one], [, two]) => two - one)
  if (count < items.length * COMMON_SHARE) return []
  return items.filter((item) => {
    const lacking = common.filter(({ name }) => !Object.hasOwn(item, name)).length
    return lacking >= common.length * LACKING_SHARE && placeOf(item[link]) !== usual
  })
}

/** Returns the host and the first part of the path of an address. */
function placeOf(href: unknown): string {
  const url = typeof href === 'string' ? parseUrl(href) : undefined
  if (url === undefined) return ''
  const [first = '', second] = url.pathname.slice(1).split('/', 2)
  return `${url.host}/${second === undefined ? '' : first}`
}
