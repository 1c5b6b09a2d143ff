import { listDateNames } from '../date-names.js'
import { IntSet } from '../../collections/int-set.js'
import { hashTokens } from './tokens.js'

let known: IntSet | undefined

/** Returns names of months and days of the week, long and short, as token hashes. The first call takes 15 ms. */
export const dateWords = (): IntSet => (known ??= new IntSet(listDateNames().flatMap(hashTokens)))
