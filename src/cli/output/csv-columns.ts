import type { ListRow } from '../../index.js'

/** Maximum number of columns: as many as Excel has. It bounds the memory for sites that name fields at random. */
const MAX_COLUMNS = 16_384

/** Columns of a table whose rows come one by one. */
export class CsvColumns {
  readonly #names: string[] = []
  readonly #known = new Set<string>()

  /** Adds the fields of a row. A new one comes after the field that is before it in the row. */
  add(row: ListRow): void {
    const fields = Object.keys(row)
    if (fields.every((name) => this.#known.has(name))) return
    let at = 0
    for (const name of fields) {
      if (this.#known.has(name)) at = this.#names.indexOf(name) + 1
      else if (this.#names.length < MAX_COLUMNS) {
        this.#names.splice(at, 0, name)
        this.#known.add(name)
        at += 1
      }
    }
  }

  get names(): readonly string[] {
    return this.#names
  }
}
