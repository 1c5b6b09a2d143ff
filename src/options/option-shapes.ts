import { z } from 'zod'
import { batchScrapeSchema } from './batch-options.js'
import { crawlSchema } from './crawl-options.js'
import { scrapeShape } from './scrape-options.js'

/** What the value of an option may be, as far as a surface that takes text must know to read it. */
export interface OptionShape {
  /** More than one for an option such as `webhook`, which takes a string or an object. */
  readonly kinds: readonly ValueKind[]
  /** The names that may be given, for an option that takes no other; for a list of objects, their types as well. */
  readonly choices: readonly string[]
  /** What an item of a list may be. */
  readonly item?: OptionShape
}

/** A `record` is an object whose keys the caller chooses. */
export type ValueKind = 'boolean' | 'number' | 'string' | 'object' | 'record' | 'list'

/** The options of one kind of request, by name, in the order of its schema. */
export type OptionShapes = Readonly<Record<string, OptionShape>>

/** The shapes of every option that a single page can be given. */
export const scrapeOptionShapes = (): OptionShapes => readShapes(scrapeShape(z))

/** The shapes of every field of a batch. */
export const batchOptionShapes = (): OptionShapes => readShapes(batchScrapeSchema(z).shape)

/** The shapes of every field of a crawl; those of its pages stand in `scrapeOptionShapes`. */
export const crawlOptionShapes = (): OptionShapes => readShapes(crawlSchema(z).shape)

const readShapes = (schemas: Readonly<Record<string, z.core.$ZodType>>): OptionShapes =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, readShape(schema)]))

function readShape(schema: z.core.$ZodType): OptionShape {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return readShape(schema.unwrap())
  if (schema instanceof z.ZodUnion) return merge(schema.options.map(readShape))
  if (schema instanceof z.ZodArray) return { kinds: ['list'], choices: [], item: readShape(schema.element) }
  if (schema instanceof z.ZodEnum) return { kinds: ['string'], choices: schema.options.map(String) }
  if (schema instanceof z.ZodObject) return { kinds: ['object'], choices: readTypes(schema.shape['type']) }
  if (schema instanceof z.ZodRecord) return { kinds: ['record'], choices: [] }
  if (schema instanceof z.ZodBoolean) return { kinds: ['boolean'], choices: [] }
  if (schema instanceof z.ZodNumber) return { kinds: ['number'], choices: [] }
  return { kinds: ['string'], choices: [] }
}

const readTypes = (schema: unknown): string[] => (schema instanceof z.ZodLiteral ? [...schema.values].map(String) : [])

const merge = (shapes: readonly OptionShape[]): OptionShape => ({
  kinds: [...new Set(shapes.flatMap(({ kinds }) => kinds))],
  choices: [...new Set(shapes.flatMap(({ choices }) => choices))],
})
