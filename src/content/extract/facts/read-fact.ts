import type { StructuredItem, StructuredValue } from '../structured-data/structured-item.js'
import { findOption } from '../../../base/json-schema/option-key.js'
import { bareName } from './fact-names.js'
import { decodeEntities } from '../../html/decode-entities.js'
import { isItem } from './pick-item.js'
import type { JsonType } from '../../../base/json-schema/schema-shape.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { parseUrl } from '../../../base/url.js'

/** The property that a value is read for. */
interface WantedFact {
  readonly name: string
  readonly type: JsonType
  readonly format?: string
  readonly options?: readonly unknown[]
  readonly description?: string
  readonly url: string
}

/**
 * Converts a value to text: for an item its name, or the property that represents it; undefined when that is ambiguous.
 */
export function asText(value: StructuredValue): string | undefined {
  if (!isItem(value)) return typeof value === 'string' ? cleanText(value) : String(value)
  const first = (name: string): string | undefined => {
    const [only, ...others] = ownValue(value.properties, name) ?? []
    if (only === undefined || others.length > 0) return undefined
    // The country of an address may be an item itself.
    return isItem(only) && !only.types.includes('Country') ? undefined : asText(only)
  }
  if (value.types.some((type) => /Image|Media|Video/.test(type))) return first('contentUrl') ?? first('url')
  if (value.types.includes('PostalAddress')) return writeAddress(first) || undefined
  if (value.types.some((type) => type.startsWith('HowTo') || type === 'Answer')) return first('text') ?? first('name')
  const address = value.properties['address']?.[0]
  return first('name') ?? first('text') ?? (address === undefined ? undefined : asText(address))
}

const writeAddress = (first: (name: string) => string | undefined): string =>
  [
    first('streetAddress'),
    [first('postalCode'), first('addressLocality')].filter(Boolean).join(' '),
    first('addressRegion'),
    first('addressCountry'),
  ]
    .filter(Boolean)
    .join(', ')

/** Named entities that {@link decodeEntities} leaves as they are. */
const TYPOGRAPHIC_ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
}

/** Removes the tags and decodes the entities that content systems leave in a text. */
const cleanText = (text: string): string =>
  decode(text)
    .replace(/<\/?(?:a|abbr|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,500})?>/gi, '')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const decode = (text: string): string =>
  decodeEntities(
    text.replace(
      /&([a-z]{4,6});/gi,
      (entity, name: string) => ownValue(TYPOGRAPHIC_ENTITIES, name.toLowerCase()) ?? entity,
    ),
  )

/** Converts a value to the type of the property; undefined when the conversion is ambiguous. */
export function readFact(value: StructuredValue, wanted: WantedFact): unknown {
  const { type } = wanted
  if (type === 'boolean') return readBoolean(value, wanted)
  const text = asText(value)
  if (text === undefined || text === '') return undefined
  if (wanted.options) return findOption(text.replace(TERM, ''), wanted.options)
  if (type === 'number' || type === 'integer') return readNumber(text, wanted)
  return type === 'string' ? readString(value, text, wanted) : undefined
}

const TERM = /^https?:\/\/schema\.org\//i

function readBoolean(value: StructuredValue, { name }: WantedFact): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = bareName(String(isItem(value) ? '' : value).replace(TERM, ''))
  if (text === 'true' || text === 'false') return text === 'true'
  if (/stock|availab/i.test(name)) {
    if (/^(?:instock|instoreonly|onlineonly|limitedavailability)$/.test(text)) return true
    return /^(?:outofstock|soldout|discontinued)$/.test(text) ? false : undefined
  }
  return /remote/i.test(name) && text === 'telecommute' ? true : undefined
}

const DURATION = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i

function readNumber(text: string, { name, type, description = '' }: WantedFact): number | undefined {
  const duration = DURATION.exec(text)
  const number = duration ? inUnit(duration, `${name} ${description}`) : parseNumber(text)
  return number === undefined || (type === 'integer' && !Number.isInteger(number)) ? undefined : number
}

/** Converts a duration to the unit that the property names. */
function inUnit(
  [, days = '0', hours = '0', minutes = '0', seconds = '0']: RegExpExecArray,
  name: string,
): number | undefined {
  const total = Number(days) * 1440 + Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  if (/min(?:ute)?s?\b|minutes/i.test(name)) return total
  if (/hours?\b/i.test(name)) return total / 60
  return /seconds?\b/i.test(name) ? Math.round(total * 60) : undefined
}

/** Parses the only number in a text; undefined when there are several, or two readings. */
export function parseNumber(text: string): number | undefined {
  const found = text.match(/-?\d[\d.,\u00a0\u202f' ]*\d|-?\d/g) ?? []
  const [only, ...others] = found
  if (only === undefined || others.length > 0 || /\d\s*[-–/x×]\s*\d/.test(text)) return undefined
  const bare = only.replace(/[\u00a0\u202f' ]/g, '')
  if (/^-?\d+(?:\.\d+)?$/.test(bare) && !/^-?[1-9]\d{0,2}\.\d{3}$/.test(bare)) return Number(bare)
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare))
    return /^-?\d{1,3},\d{3}$/.test(bare) && text !== only ? Number(bare.replaceAll(',', '')) : readGrouped(bare)
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(bare)) return Number(bare.replaceAll('.', '').replace(',', '.'))
  if (/^-?\d+,\d{1,2}$/.test(bare)) return Number(bare.replace(',', '.'))
  // In visible prices `1.299` may mean 1299. Structured data has no thousands separators, so it means 1.299 here.
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare) ? Number(bare) : undefined
}

const readGrouped = (bare: string): number => Number(bare.replaceAll(',', ''))

function readString(value: StructuredValue, text: string, { format, name, url }: WantedFact): string | undefined {
  if (format === 'date') return /^\d{4}-\d{2}-\d{2}(?:T|\s|$)/.test(text) ? text.slice(0, 10) : undefined
  if (format === 'date-time') return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? text : undefined
  const isAddress =
    format === 'uri' ||
    format === 'url' ||
    /(?:^|[a-z_])(?:url|link|href)$/i.test(name) ||
    /^(?:image|photo|picture|thumbnail|logo)/i.test(name)
  if (isAddress) return parseUrl(text, url)?.href
  return isItem(value) ? text : text.replace(TERM, '')
}

/** Collects the values at a path through an item, such as `offers.price`, or `acceptedAnswer+suggestedAnswer` for both. */
export function valuesAt(item: StructuredItem, path: string): StructuredValue[] {
  let at: StructuredValue[] = [item]
  for (const name of path.split('.')) {
    const names = name.split('+')
    at = at.flatMap((value) => (isItem(value) ? names.flatMap((one) => ownValue(value.properties, one) ?? []) : []))
  }
  return at
}
