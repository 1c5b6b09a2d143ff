import type { ListField, ListRow, ListTemplate, PageList } from '../../extract/list/page-list.js'

/** Maximum length of the texts of all rows. Characters. */
const MAX_LENGTH = 32 * 1024 * 1024

/** Collects the rows of one list from several pages, each row once. */
export class RowMerger {
  readonly #maxRows: number
  readonly #keys = new Set<string>()
  readonly items: ListRow[] = []
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
  add({ items, keys, fields, template, total }: PageList): number {
    const added = this.addRows({ items, keys })
    this.#fields = [...fields, ...this.#fields.filter(({ name }) => fields.every((field) => field.name !== name))]
    this.#template = template
    this.#total = total ?? this.#total
    return added
  }

  /** Adds rows with the fields of the pages so far. Returns the number of new ones. */
  addRows({ items, keys }: Pick<PageList, 'items' | 'keys'>): number {
    const before = this.items.length
    for (const [index, item] of items.entries()) {
      const key = keys[index] ?? ''
      if (this.#keys.has(key)) continue
      if (this.isFull) {
        this.#isCut = true
        continue
      }
      this.#keys.add(key)
      this.items.push(item)
      this.#length += lengthOf(item)
    }
    return this.items.length - before
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

  /** True if there are as many rows as the pages state for the whole list. */
  get hasTotal(): boolean {
    return this.#total !== undefined && this.items.length >= this.#total
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
