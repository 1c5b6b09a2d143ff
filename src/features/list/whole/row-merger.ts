import type { RowBatch } from '../data/map-records.js'
import type { ListField, ListRow, ListTemplate, PageList } from '../../../content/extract/list/page-list.js'

/** Maximum length of the texts of all rows. Characters. */
const MAX_LENGTH = 32 * 1024 * 1024

/** Maximum rows with one key that are compared field by field. Of further ones, only those that are equal are one row. */
const MAX_VARIANTS = 50
/** Maximum number of rows that were taken for known ones, and are looked at again when keys turn out to be shared. */
const MAX_DOUBTED = 10_000
/** Names of the field by which rows with one key differ. */
const TITLE = /(?:^|[a-z])(?:title|name|headline|heading)$/iu
/** A date in ISO 8601, as precise as the page writes it. */
const ISO_DATE = /^\d{4}(?:-|$)/u

interface KeyedRow {
  readonly key: string
  readonly item: ListRow
  readonly isAd: boolean
}

/**
 * Collects the rows of one list from several pages, each row once. Rows with one key are one row, whatever has changed since,
 * unless their titles differ. As soon as one page has different rows with one key, such as the variants of a product, they
 * are one row only if their texts, numbers and dates agree.
 */
export class RowMerger {
  readonly #maxRows: number
  readonly #byKey = new Map<string, ListRow[]>()
  readonly #exact = new Set<string>()
  /** Rows of the page that is added. */
  readonly #ofPage = new Set<ListRow>()
  #hasVariants = false
  readonly #doubted: KeyedRow[] = []
  readonly items: ListRow[] = []
  #entries = 0
  #fields: readonly ListField[] = []
  #template: ListTemplate
  #total: number | undefined
  #length = 0
  #isCut = false
  /** The rows of the first page. */
  readonly #firstItems: readonly ListRow[]

  constructor(first: PageList, maxRows: number) {
    this.#maxRows = maxRows
    this.#firstItems = first.items
    this.#template = first.template
    this.add(first)
  }

  /** Adds the rows of a page. Returns the number of new ones. */
  add({ fields, template, total, ...batch }: PageList): number {
    this.#fields = [...fields, ...this.#fields.filter(({ name }) => fields.every((field) => field.name !== name))]
    const added = this.addRows(batch)
    this.#template = template
    this.#total = total ?? this.#total
    return added
  }

  /** Adds rows with the fields of the pages so far. Returns the number of new ones. */
  addRows({ items, keys, ads }: RowBatch): number {
    const before = this.items.length
    const indices = new Set(ads)
    const rows = items.map((item, at): KeyedRow => ({ key: keys[at] ?? '', item, isAd: indices.has(at) }))
    const entries = rows.filter(({ isAd }) => !isAd)
    if (!this.#hasVariants && new Set(entries.map(({ key }) => key)).size < entries.length) {
      this.#hasVariants = true
      for (const row of this.#doubted.splice(0)) this.#addRow(row)
    }
    this.#ofPage.clear()
    for (const row of rows) this.#addRow(row)
    return this.items.length - before
  }

  #addRow(row: KeyedRow): void {
    const { key, item, isAd } = row
    const variants = this.#byKey.get(key) ?? []
    const exact = variants.length < MAX_VARIANTS ? undefined : `${key} ${JSON.stringify(item)}`
    const isKnown =
      exact === undefined
        ? variants.some((known) => this.#isSame(known, item))
        : this.#exact.has(exact) || variants.some((known) => JSON.stringify(known) === JSON.stringify(item))
    if (isKnown) {
      if (!this.#hasVariants && this.#doubted.length < MAX_DOUBTED) this.#doubted.push(row)
      return
    }
    if (this.isFull) {
      this.#isCut = true
      return
    }
    if (exact === undefined) this.#byKey.set(key, [...variants, item])
    else this.#exact.add(exact)
    this.items.push(item)
    this.#ofPage.add(item)
    if (!isAd) this.#entries += 1
    this.#length += lengthOf(item)
  }

  /** Compares the fields that two rows with one key both have. */
  #isSame(one: ListRow, other: ListRow): boolean {
    const isOfPage = this.#ofPage.has(one)
    return this.#fields.every(({ name, type }) => {
      const isCompared = this.#hasVariants ? type !== 'url' : type === 'text' && TITLE.test(name)
      if (!isCompared || !Object.hasOwn(one, name) || !Object.hasOwn(other, name)) return true
      const values = [String(one[name]), String(other[name])]
      // From one page to the next, a relative date such as `2 hours ago` changes.
      const isRelative = type === 'date' && !isOfPage && !values.some((value) => ISO_DATE.test(value))
      return isRelative || values[0] === values[1]
    })
  }

  /**
   * Tests for a list that has at least half of the rows of the first page, by most of their texts: with more rows, fields
   * may have other names, and keys may be others.
   */
  isIn({ items }: PageList): boolean {
    const known = new Set(items.flatMap(listTexts))
    const isFound = (item: ListRow): boolean => {
      const texts = listTexts(item)
      return 2 * texts.filter((text) => known.has(text)).length > texts.length
    }
    return 2 * this.#firstItems.filter(isFound).length >= this.#firstItems.length
  }

  get isFull(): boolean {
    return this.items.length >= this.#maxRows || this.#length > MAX_LENGTH
  }

  /** True if there were rows for which there was no room. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Returns the reason why no further rows are added. */
  get whyFull(): string {
    return this.#length > MAX_LENGTH
      ? `The rows have more than ${MAX_LENGTH} characters.`
      : `\`most\`: the list has ${this.#maxRows} rows or more.`
  }

  /** Describes the list, so that it is found on the next page with the same fields. */
  get template(): ListTemplate {
    return this.#template
  }

  /** Number of rows that are no advertisements. */
  get entries(): number {
    return this.#entries
  }

  /** True if there are as many rows as the pages state for the whole list. Advertisements do not count. */
  get hasTotal(): boolean {
    return this.#total !== undefined && this.#entries >= this.#total
  }

  /** Number of entries of the whole list, as the pages state it. */
  get total(): number | undefined {
    return this.#total
  }

  /** The fields, with their shares of all rows. */
  get fields(): ListField[] {
    const counts = new Map<string, number>()
    for (const item of this.items) for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1)
    return this.#fields.map((field) => ({ ...field, share: (counts.get(field.name) ?? 0) / this.items.length }))
  }
}

/** Lists the values of a row as texts. */
const listTexts = (row: ListRow): string[] =>
  Object.values(row).map((value) => (typeof value === 'object' ? value.join('\n') : String(value)))

/** Returns the length of the texts of a row. Characters. */
const lengthOf = (row: ListRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' ? value.join('') : String(value)).length,
    0,
  )
