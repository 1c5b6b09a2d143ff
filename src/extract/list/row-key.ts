import { createHash } from 'node:crypto'
import type { ListRow } from './page-list.js'

/** Returns the identity of a row that nothing but all of its values identifies. */
export const keyOfFields = (item: ListRow): string =>
  createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22)
