import type { SchemaBuilder } from './format.js'

/** Form of links and images, and of their URLs. */
export interface WrittenParts {
  readonly links: 'inline' | 'reference' | 'text'
  readonly images: 'full' | 'alt' | 'none'
  readonly cleanUrls: boolean
}

export const ALL_PARTS: WrittenParts = { links: 'inline', images: 'full', cleanUrls: false }

/** Choices for a purpose. A language model needs no addresses: they are half of the tokens of a list. */
const PRESETS = { model: { links: 'text', images: 'alt', cleanUrls: true } } as const

/** The options of a format by which parts are written. */
interface PartOptions {
  readonly preset?: keyof typeof PRESETS
  readonly links?: WrittenParts['links']
  readonly images?: WrittenParts['images']
  readonly cleanUrls?: boolean
}

/** Returns what is written by the options of a format; its preset decides what they leave open. */
export function partsOf({ preset, links, images, cleanUrls }: PartOptions): WrittenParts {
  const base: WrittenParts = preset === undefined ? ALL_PARTS : PRESETS[preset]
  return { links: links ?? base.links, images: images ?? base.images, cleanUrls: cleanUrls ?? base.cleanUrls }
}

/** The schemas of the options that the formats of Markdown share. @param forms of links @internal */
export const partSchemas = <Links extends WrittenParts['links']>(z: SchemaBuilder, forms: readonly Links[]) => ({
  preset: z.enum(['model']).optional(),
  links: z.enum(forms).optional(),
  images: z.enum(['full', 'alt', 'none']).optional(),
  cleanUrls: z.boolean().optional(),
})
