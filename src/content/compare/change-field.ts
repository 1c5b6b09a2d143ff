/** Kinds of changes, the most telling first. */
export const CHANGE_FIELDS = [
  'price',
  'availability',
  'date',
  'number',
  'heading',
  'row',
  'item',
  'code',
  'link',
  'text',
] as const

/**
 * Kind of a change. `row`: rows of a table that came, went, or say something else. `item`: items of a list that came or
 * went. `link`: a link of the same text that leads elsewhere. `text`: other words.
 */
export type ChangeField = (typeof CHANGE_FIELDS)[number]
