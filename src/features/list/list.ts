import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { Enriched, EnrichFormat, EnrichTools } from '../../kernel/enrich/format.js'
import {
  type AnswerSchema,
  answerSchema,
  type HeldSchema,
  isStandardSchema,
} from '../../base/json-schema/answer-schema.js'
import { type List, type ListFields, toList } from './row-list.js'
import { createColumnChooser } from './ask-columns.js'
import { conformList } from './conform-list.js'
import { shareEntries } from './learn/share-entries.js'
import type { WholeList } from './whole/list-ending.js'
import { openForm } from '../../base/json-schema/answer-form.js'
import { resolveSchema, typesOf } from '../../base/json-schema/schema-shape.js'

/** The list that a page shows, as rows. An extension of trawl. */
export interface ListFormat {
  type: 'list'
  /**
   * Shape of a row: a JSON Schema, or a Standard Schema such as a zod one, which also types `items`. Columns are matched
   * with its properties by names, types and values, and the rows have its names and types. @default the page's own names
   */
  schema?: AnswerSchema
  /**
   * Read the list to its end: its further pages and, if there are none, the data that the page embeds, the requests that
   * its scripts send for more, and the page in a browser while it grows. At most as long as `timeout` allows. @default false
   */
  all?: boolean
  /** With `all`, document field `lists` has each list of the page as well. @default the main list only */
  lists?: 'all'
  /** Maximum number of rows of a list, 1 to 10,000. @default 10,000 */
  most?: number
}

const MAX_ROWS = 10_000

/** The options in a plan. */
interface PlannedList extends Omit<ListFormat, 'schema'> {
  readonly schema?: HeldSchema
}

/**
 * The main list of a page as rows: products, results, jobs, events, rows of tables. Fields are what the entries have in
 * common. They are named by what the page calls them (properties of its markup, headers, labels, attributes, class names),
 * by their role, or by a schema.
 *
 * @see docs/guides/lists.md
 */
export const list: EnrichFormat<ListFormat, ListFields> = {
  type: 'list',
  traits: ['data'],
  options: (z) => ({
    schema: answerSchema(z)
      .superRefine((schema, context) => {
        const message = describeRowFault(schema)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      })
      .optional(),
    all: z.boolean().optional(),
    lists: z.literal('all').optional(),
    most: z.number().multipleOf(1).min(1).max(MAX_ROWS).optional(),
  }),
  // A model is asked at most once for each structure of a list, and only about its columns.
  needs: {
    model: ({ schema }) => (schema === undefined ? false : 'optional'),
    lists: (options) => {
      const { all = false, lists, most } = options as PlannedList
      return { isWhole: all, isEach: lists === 'all', most }
    },
  },
  produce: async ({ url }, options, tools) => ({
    ...(await makeLists(url, options as PlannedList, tools)),
    shared: await shareEntries(tools.lists, options as PlannedList),
  }),
}

async function makeLists(
  url: string,
  { schema, lists: wanted, most = MAX_ROWS }: PlannedList,
  { lists: { lists: page = [] }, resultOf, model, tree }: EnrichTools,
): Promise<Enriched<ListFields>> {
  const [first] = page
  const { list: whole } = (resultOf('list') ?? {}) as Partial<WholeList>
  const main = whole ?? (first === undefined ? NO_LIST : toList(first, most))
  const lost = main.lostPage === undefined ? [] : [`The list was not read to its end: ${main.stoppedBy}`]
  const others = wanted === 'all' ? page.map((one) => toList(one, most)) : undefined
  if (schema === undefined) return { fields: { list: main, ...(others && { lists: others }) }, warnings: lost }
  const template = first?.template
  const choose =
    model && template && createColumnChooser({ model, url, template, kindOf: (name) => tree.learntRules.of(name) })
  const shaped = await conformList(main, schema, choose)
  const shapedOthers: List[] = []
  for (const one of others ?? []) {
    await yieldIfHeld()
    shapedOthers.push((await conformList(one, schema)).list)
  }
  return {
    fields: { list: shaped.list, ...(others && { lists: shapedOthers }) },
    warnings: [...lost, ...shaped.warnings],
  }
}

const NO_LIST: List = {
  items: [],
  fields: [],
  complete: false,
  pagesRead: 0,
  how: 'page',
  stoppedBy: 'The page has no list.',
}

/** Returns the reason why a schema cannot describe a row; undefined for one that can, and for one that cannot be read. */
function describeRowFault(given: AnswerSchema): string | undefined {
  const { schema } = openForm(isStandardSchema(given) ? () => given : given)
  const resolved = schema && resolveSchema(schema, schema)
  const types = resolved ? typesOf(resolved) : []
  if (types.length === 0 || types.includes('object')) return undefined
  const advice = types.includes('array') ? ': give the schema of its items' : ''
  return `describes ${types.join(' or ')}, and a row is an object${advice}`
}
