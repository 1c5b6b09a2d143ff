import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Environment variable with the path of the collection. */
export const COLLECTION_VARIABLE = 'QUALITY_COLLECTION'

/** The folder of the collection of real pages and reference answers, or the reason why there is none. */
export type Collection = { readonly folder: string } | { readonly missing: string }

/**
 * Finds the collection: the folder that {@link COLLECTION_VARIABLE} names, or else a folder `quality` with the scorer
 * in it, beside the checkout or in a folder beside the checkout.
 *
 * @param root the checkout
 * @throws Error if the variable names a folder without the scorer
 */
export function findCollection(root: string, named = process.env[COLLECTION_VARIABLE]): Collection {
  if (named !== undefined && named !== '') {
    if (!hasScorer(named)) throw new Error(`\`${COLLECTION_VARIABLE}\` is ${named}, and there is no evaluate.mjs in it`)
    return { folder: resolve(named) }
  }
  const parent = dirname(resolve(root))
  const neighbours = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name))
    .sort()
  const folder = [parent, ...neighbours].map((place) => join(place, 'quality')).find(hasScorer)
  return folder === undefined
    ? { missing: `no folder \`quality\` is near the checkout, and \`${COLLECTION_VARIABLE}\` names none` }
    : { folder }
}

const hasScorer = (folder: string): boolean => existsSync(join(folder, 'evaluate.mjs'))
