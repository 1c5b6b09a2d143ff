import { listDateNames } from '../date-names.js'
import { IntSet } from '../../collections/int-set.js'
import { hashTokens } from './tokens.js'

let known: IntSet | undefined

/** The names of months and days of the week, long and short, as token hashes. Takes 15 ms when first asked for. */
export const dateWords = (): IntSet => (known ??= new IntSet(listDateNames().flatMap(hashTokens)))
