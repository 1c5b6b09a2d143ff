import type { ListField, ListRow, ListValue } from '../../content/extract/list/page-list.js'
import { type NameWords, readName } from './name-words.js'

/** A column of a list, with what it is matched by. */
export interface SampledColumn {
  readonly field: ListField
  readonly name: NameWords
  /** Its first different values. */
  readonly samples: readonly ListValue[]
  /** True if a currency stands beside its numbers. */
  readonly isMoney: boolean
  /** True for URLs of images. */
  readonly isImage: boolean
  /** True for texts that differ in nearly all of the sampled rows, as titles do. */
  readonly isDistinct: boolean
}

/** Rows that are sampled, and values of each column. */
const MAX_SAMPLED_ROWS = 100
const MAX_SAMPLES = 8

/** The rows of a list, as far as they are matched with a schema. */
export interface SourceRows {
  readonly items: readonly ListRow[]
  readonly fields: readonly ListField[]
}

/** Describes the columns of a list. */
export function describeColumns({ items, fields }: SourceRows): SampledColumn[] {
  const rows = items.slice(0, MAX_SAMPLED_ROWS)
  const names = new Set(fields.map(({ name }) => name))
  return fields.map((field) => {
    const values = rows.flatMap((row) => (Object.hasOwn(row, field.name) ? [row[field.name] ?? ''] : []))
    const distinct = new Map(values.map((value) => [String(value), value]))
    const samples = [...distinct.values()].slice(0, MAX_SAMPLES)
    return {
      field,
      name: readName(field.name),
      samples,
      isMoney: names.has(`${field.name}Currency`) || /^\p{Sc}$/u.test(field.unit ?? ''),
      isImage: field.type === 'url' && samples.length > 0 && samples.every((value) => IMAGE.test(String(value))),
      isDistinct: field.type === 'text' && distinct.size >= values.length * 0.8,
    }
  })
}

const IMAGE = /\.(?:jpe?g|png|webp|gif|avif|svg)(?:$|[?#])/iu
