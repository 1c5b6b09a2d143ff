import { isCurrency } from './read-amount.js'

/** Statement of a text about a price: that it was paid before, in general, or is paid now, for a unit, or is what is saved. */
export type PriceMark = 'old' | 'regular' | 'now' | 'unit' | 'saving' | 'plain'

/** A price in a text, as written, with its unit and without its label. */
export interface PricePart {
  readonly text: string
  readonly mark: PriceMark
}

/** Maximum characters of a text that is split. */
const MAX_LENGTH = 160

const SIGN = String.raw`(?:(?:[A-Z]{1,3})?\p{Sc}|[A-Z]{3}(?!\p{L})|zł|Kč|Ft|lei|лв\.?|[Kk]r\.?|Fr\.?|Rs\.?|Rp\.?|RM|грн\.?|円|원)`
const NUMBER = String.raw`\d{1,3}(?:[ .,'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?`
/** A number with the currency on either side; the code of one may follow its sign: `$20.00 USD`. */
const AMOUNT = new RegExp(
  String.raw`(?<!\p{L})${SIGN}\s?(?:${NUMBER})(?:[.,:][-–—]{1,2})?(?:\s[A-Z]{3}(?!\p{L}|\s?\d))?|(?<![\d.,])(?:${NUMBER})(?:[.,:][-–—]{1,2})?\s?${SIGN}(?!\p{L})`,
  'gu',
)
/** Unit of a price: `/ kg`, `per 100 g`. */
const UNIT = /^(?:\/|(?:per|pro|je|par|por|al|pr\.?)\s)\s?(?:\d{1,4}\s?)?\p{L}{1,12}[²³]?\.?$/u
/** The measure before a price for it: `1 kg =`. */
const MEASURE = /^\d[\d.,]{0,6}\s?\p{L}{1,6}\s?=$/u
/** The end of what stands before an amount that is taken off: `-€10`. A dash between two amounts has a space around it. */
const SAVED = /(?:^|[\s(])[-−]$/u
const PERCENT = /^(?:save |up to )?\d{1,2}\s?%(?: off)?$/u

const LABELS: Readonly<Record<Exclude<PriceMark, 'unit'>, string>> = {
  old:
    'was|were|before|previously|formerly|old|old price|original|originally|original price|original price was|previous price|' +
    'was price|compare at|compare at price|rrp|msrp|srp|uvp|statt|vorher|bisher|früher|alter preis|alt|originalpreis|ursprünglich|' +
    'ursprünglicher preis|ursprünglicher preis war|streichpreis|unverbindliche preisempfehlung|avant|ancien prix|au lieu de|' +
    "prix initial|prix d'origine|prix conseillé|prix barré|le prix initial était|antes|precio anterior|precio original|" +
    'el precio original era|precio antes|prezzo precedente|prezzo originale|il prezzo originale era|prima|oude prijs|' +
    'oorspronkelijke prijs|oorspronkelijke prijs was|adviesprijs|preço original|o preço original era|preço anterior|før|förut|' +
    'tidigare|tidligere|tidigare pris|før pris|stara cena|poprzednia cena|pierwotna cena',
  regular:
    'regular|regular price|normal|normal price|list|list price|full price|retail price|listenpreis|normalpreis|regulärer preis|' +
    'normaler preis|prix normal|prix habituel|prix régulier|precio habitual|precio normal|precio regular|prezzo di listino|' +
    'prezzo normale|normale prijs|preço normal|ordinarie pris|ord pris|cena regularna',
  now:
    'now|now only|now price|sale|sale price|special|special price|new price|current price|current price is|offer|offer price|' +
    'today|our price|final price|deal|promo|promo price|price now|discounted price|jetzt|jetzt nur|nur|neuer preis|' +
    'aktueller preis|aktueller preis ist|sonderpreis|angebot|angebotspreis|aktionspreis|maintenant|prix actuel|prix promo|' +
    'prix réduit|prix soldé|nouveau prix|le prix actuel est|ahora|precio actual|precio especial|precio de oferta|' +
    'el precio actual es|ora|adesso|prezzo attuale|prezzo scontato|prezzo speciale|il prezzo attuale è|nu|nieuwe prijs|' +
    'huidige prijs|huidige prijs is|aanbiedingsprijs|preço atual|o preço atual é|agora|nå|nå kun|nu bara|reapris|nowa cena|aktualna cena',
  saving:
    'save|you save|saving|savings|sie sparen|spare|sparen|ersparnis|économisez|ahorra|ahorras|risparmi|risparmia|spar|spara',
  plain: 'price|preis|prix|precio|prezzo|prijs|preço|pris|cena|only|and|ab sofort',
}

let marks: ReadonlyMap<string, PriceMark> | undefined

/** Returns what a label says of the price beside it; undefined for another text. */
export function markOfLabel(label: string): PriceMark | undefined {
  if (label.length > 60) return undefined
  marks ??= new Map(
    Object.entries(LABELS).flatMap(([mark, words]) =>
      words.split('|').map((word): [string, PriceMark] => [word, mark as PriceMark]),
    ),
  )
  return marks.get(
    label
      .toLowerCase()
      .replace(/[:：.!*]/gu, '')
      .trim(),
  )
}

/** Splits a text that is nothing but prices and what they are called: `was £19 now £15`. Undefined for another text. */
export function splitPrices(text: string): PricePart[] | undefined {
  if (text.length > MAX_LENGTH || !/\d/u.test(text)) return undefined
  const found = [...text.matchAll(AMOUNT)]
  if (found.length === 0) return undefined
  const parts = found.map(([own]) => ({ text: own, mark: 'plain' as PriceMark }))
  let from = 0
  for (let at = 0; at <= found.length; at += 1) {
    const gap = text.slice(from, found[at]?.index ?? text.length)
    const after = parts[at]
    if (after !== undefined && SAVED.test(gap)) after.mark = 'saving'
    if (!readGap(gap, parts[at - 1], parts[at])) return undefined
    from = (found[at]?.index ?? 0) + (found[at]?.[0].length ?? 0)
  }
  return parts
}

interface OpenPart {
  text: string
  mark: PriceMark
}

/** Reads the text between two prices: the unit or the label of the one, the label of the other. False for other words. */
function readGap(gap: string, before: OpenPart | undefined, after: OpenPart | undefined): boolean {
  const pieces = gap
    .split(/[,;|•·()[\]（）\n–—*†¹~-]+/u)
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}/]/u.test(piece))
  for (const [at, piece] of pieces.entries()) {
    const mark = markOfLabel(piece)
    const isOfBefore = before !== undefined && (after === undefined || (pieces.length > 1 && at === 0))
    if (before !== undefined && UNIT.test(piece)) {
      before.text = `${before.text} ${piece}`
      before.mark = 'unit'
    } else if (after !== undefined && MEASURE.test(piece)) after.mark = 'unit'
    else if (mark !== undefined) {
      const named = isOfBefore ? before : after
      if (named !== undefined && mark !== 'plain') named.mark = mark
    } else if (!PERCENT.test(piece)) return false
  }
  return true
}

/** True for a currency sign alone, which stands beside its number. */
export const isSignOnly = (text: string): boolean => text.length <= 4 && isCurrency(text)
