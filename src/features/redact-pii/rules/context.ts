/** Words that say what a number is, when it is none of a person. */
const OTHER_NUMBERS =
  /(?:^|[^\p{L}])(?:orders?|bestell\p{L}*|auftrag\p{L}*|commande|pedido|ordine|invoice|rechnung\p{L}*|facture|fattura|factura|tracking|sendung\p{L}*|shipment|parcel|kunden\p{L}*|customer|artikel\p{L}*|art\.|article|item|sku|serial|seriennummer|models?|modell|part|teile\p{L}*|isbn(?:-1[03])?|issn|doi|pmid|arxiv|patents?|case|lot|batch|ean|gtin|upc|asin|version|build|release|firmware|rev|revision|commit|hash|md5|sha\d*|uuid|guid|timestamp|ts|ticket|issue|bug|zip|plz|postcode|postal code|populations?|hrb|hra|ust\p{L}*|vat|siret|siren|rcs|cnpj|krs|regon|nip|p\.? ?iva|grid|figure|fig|table|eq|rfc|section|§|page|pages|pp|vol|id|ref\p{L}*|code|key)(?=$|[^\p{L}])[^\n]{0,32}$/u

/** Tests whether the words before a number say that it is one of an order, a book, a part. */
export const isOtherNumber = (before: string): boolean => OTHER_NUMBERS.test(before)

/** Longest context. Characters. */
const REACH = 56
/** Longest line of a table that is read. Characters. */
const MAX_LINE = 4000
/** Longest URL that is read back. Characters. */
const MAX_URL = 400

/** A table of Markdown: its place, and the cells of its header. */
interface Table {
  readonly start: number
  readonly end: number
  readonly header: readonly string[]
}

const DELIMITER = /^\|?[ :]*-[-|: ]*$/

function findTables(text: string): Table[] {
  const tables: Table[] = []
  let [lineStart, above] = [0, '']
  let open: { start: number; header: string[] } | undefined
  while (lineStart <= text.length) {
    const next = text.indexOf('\n', lineStart)
    const end = next === -1 ? text.length : next
    const line = text.slice(lineStart, Math.min(end, lineStart + MAX_LINE))
    if (open && !line.trimStart().startsWith('|')) {
      tables.push({ ...open, end: lineStart })
      open = undefined
    }
    if (!open && above.includes('|') && line.includes('|') && DELIMITER.test(line.trim()))
      open = { start: end, header: above.split('|').slice(1) }
    above = line
    lineStart = end + 1
  }
  if (open) tables.push({ ...open, end: text.length })
  return tables
}

/** Finds the table with a place in it, by halves: a page may have thousands. */
function tableAt(tables: readonly Table[], at: number): Table | undefined {
  let [low, high] = [0, tables.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tables[middle]?.start ?? 0) <= at) low = middle
    else high = middle - 1
  }
  const table = tables[low]
  return table && at >= table.start && at < table.end ? table : undefined
}

const URL_SIGN = /[^\s"'<>()[\]|`{}]/

/** Reads the surroundings of places in a text. @param name of the field whose value the text is */
export function readContext(text: string, name = '') {
  let tables: Table[] | undefined
  const fieldName = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_:.-]/g, ' ')
  const headerAbove = (at: number): string => {
    const line = text.slice(Math.max(0, at - MAX_LINE), at)
    const lineStart = at - line.length + line.lastIndexOf('\n') + 1
    if ((lineStart > 0 && text.charAt(lineStart - 1) !== '\n') || text.charAt(lineStart) !== '|') return ''
    tables ??= findTables(text)
    const table = tableAt(tables, at)
    return table?.header[text.slice(lineStart, at).split('|').length - 2] ?? ''
  }
  return {
    wordsBefore(at: number): string {
      const reach = text.slice(Math.max(0, at - REACH), at)
      const line = reach.slice(reach.lastIndexOf('\n') + 1)
      const near = line.includes('|') ? line : reach
      const cut = near.lastIndexOf('|')
      const label =
        cut === -1
          ? near
          : near.slice(cut + 1).trim() === ''
            ? `${near.slice(0, cut)} ${headerAbove(at)}: `
            : near.slice(cut + 1)
      const words = label.trim() === '' || label.length === at ? `${fieldName}: ${label}` : label
      return words.replace(/\s+/g, ' ').toLowerCase()
    },
    urlBefore(at: number): string {
      let start = at
      while (start > 0 && at - start < MAX_URL && URL_SIGN.test(text.charAt(start - 1))) start -= 1
      const token = text.slice(start, at)
      return /^(?:[a-z][a-z0-9+.-]{1,20}:|www\.|\/|\.\.?\/|\?)/i.test(token) &&
        /[/?=]|^(?:tel|sms|callto|mailto):/i.test(token)
        ? token
        : ''
    },
  }
}
