import { books, shortColumns } from './made-books.js'
import { longTables } from './made-tables.js'
import { documents } from './made-documents.js'
import { headings, templates } from './made-templates.js'
import type { MadeFile } from './made-text.js'

/** Files of many kinds, made for the test of what is read of them. */
export const madeFiles: readonly MadeFile[] = [
  ...templates,
  ...documents,
  ...headings,
  ...longTables,
  ...books,
  ...shortColumns,
]
