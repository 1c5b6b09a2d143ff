import { z } from 'zod'
import { batchScrapeSchema } from './batch-options.js'
import { crawlSchema } from './crawl-options.js'
import { scrapeShape } from './scrape-options.js'

/** Shape of an option's value, for surfaces that parse it from text. */
export interface OptionShape {
  /** Kinds of values; several for options such as `webhook`, which takes a string or an object. */
  readonly kinds: readonly ValueKind[]
  /** Allowed names, for an option that takes no others; for a list of objects, their types as well. */
  readonly choices: readonly string[]
  /** Shape of the items of a list. */
  readonly item?: OptionShape
}

/** Kind of a value. A `record` is an object whose keys the caller chooses. */
export type ValueKind = 'boolean' | 'number' | 'string' | 'object' | 'record' | 'list'

/** Shapes of a request's options by name, in the order of its schema. */
export type OptionShapes = Readonly<Record<string, OptionShape>>

/** Returns the shapes of all page options. */
export const scrapeOptionShapes = (): OptionShapes => readShapes(scrapeShape(z))

/** Returns the shapes of all fields of a batch. */
export const batchOptionShapes = (): OptionShapes => readShapes(batchScrapeSchema(z).shape)

/** Returns the shapes of all fields of a crawl; those of its pages are in `scrapeOptionShapes`. */
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
