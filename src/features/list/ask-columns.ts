import { createHash } from 'node:crypto'
import { isObject } from '../../base/collections/is-object.js'
import { ownValue } from '../../base/collections/own-value.js'
import type { ListTemplate } from '../../content/extract/list/page-list.js'
import type { PageKind } from '../../kernel/enrich/learnt-rules.js'
import { ModelError } from '../../base/llm/llm.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { JsonSchema } from '../../base/json-schema/json-schema.js'
import { PAGE_RULES, writePrompt } from '../../base/llm/answers/prompts.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import type { SampledColumn } from './sampled-column.js'
import { type ColumnMatch, mayHold } from './match-columns.js'
import type { RowProperty } from './row-property.js'
import type { ChosenColumns, ColumnChooser, OpenColumns } from './shape-list.js'

/** A model to ask about a list, and the place where its answers are kept. */
interface ColumnQuestion {
  readonly model: PageModel
  readonly url: string
  /** Structure of the list: pages with the same one share an answer. */
  readonly template: ListTemplate
  /** Answers of the page's job, by name. */
  kindOf(name: string): PageKind
}

/** System prompt for the columns of a list that properties are read from. */
const COLUMNS_SYSTEM = `You match the columns of a list on a web page with properties of a schema. ${PAGE_RULES} Each line of the page is a column with values of it. Answer with one JSON object, {"p1": "c2", "p2": null}, and nothing else: for each property the column that holds it, or null where none does. No column is used twice.`

/** Maximum columns and properties in a question, values shown of a column, and characters of a value. */
const MAX_COLUMNS = 60
const MAX_PROPERTIES = 60
const MAX_SAMPLES = 4
const MAX_SAMPLE = 80
const MAX_DESCRIPTION = 300

/** The column of a property, as it is kept for other pages with the same structure. */
interface NamedPlace {
  readonly name: string
  /** Places of its values in an entry. A name with a number may be another one's on another page. */
  readonly places: readonly string[]
}

type NamedPlaces = Readonly<Record<string, NamedPlace>>

/** Answer for one structure of a list; without places, the model gave none. */
interface KnownAnswer {
  readonly structure: string
  readonly places?: NamedPlaces
}

/**
 * Maximum structures of the lists of one site that a model is asked about in a job. A site may name its elements anew on each
 * page.
 */
const MAX_STRUCTURES = 20

/**
 * Makes a chooser that asks a model which columns open properties are read from. It asks once for each structure of a list and
 * each schema, also if the model gives no usable answer: the rules apply then.
 */
export function createColumnChooser(question: ColumnQuestion): ColumnChooser {
  return async (open, form) => {
    const { model, url, template } = question
    const schema = form.schema ?? open.properties.map((property) => property.name)
    const site = hash([new URL(url).host, schema])
    const structure = hash([site, template.container, template.entry])
    const kind = question.kindOf(`columns ${site}`)
    const known = kind.rules as KnownAnswer[]
    // Pages of a crawl that come at the same time wait for one answer.
    await kind.turn.acquire(model.signal)
    try {
      let answer = known.find((one) => one.structure === structure)
      if (answer === undefined && known.length < MAX_STRUCTURES) {
        const kept = readJson(model.recall(`columns ${structure}`) ?? '')?.value
        if (!isPlaces(kept)) return await ask(question, open, structure, known)
        answer = { structure, places: kept }
        known.push(answer)
      }
      return { matches: answer?.places ? applyPlaces(answer.places, open, template) : [] }
    } finally {
      kind.turn.release()
    }
  }
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')

async function ask(
  { model, url, template }: ColumnQuestion,
  open: OpenColumns,
  structure: string,
  known: KnownAnswer[],
): Promise<ChosenColumns> {
  const properties = open.properties.slice(0, MAX_PROPERTIES)
  const columns = open.columns.slice(0, MAX_COLUMNS)
  const isUsable = (text: string): boolean => isObject(readJson(text)?.value)
  try {
    const { text } = await model.ask({
      system: COLUMNS_SYSTEM,
      prompt: writePrompt({ task: describeProperties(properties), url, text: describeSamples(columns) }),
      schema: answerOf(properties, columns),
      isUsable,
    })
    const answer = readJson(text)?.value
    if (!isObject(answer)) throw new ModelError('the answer of the model could not be parsed')
    const places = Object.fromEntries(
      properties.flatMap((property, at): [string, NamedPlace][] => {
        const column = columns[Number(/^c(\d+)$/u.exec(String(answer[`p${at + 1}`]))?.[1]) - 1]
        if (column === undefined) return []
        return [[property.name, { name: column.field.name, places: placesOf(column.field.name, template) }]]
      }),
    )
    known.push({ structure, places })
    model.remember(`columns ${structure}`, JSON.stringify(places))
    return { matches: applyPlaces(places, open, template) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    known.push({ structure })
    return {
      matches: [],
      warning: `The columns of \`list\` are matched with \`schema\` by rules alone: ${error.message}.`,
    }
  }
}

const placesOf = (name: string, { columns }: ListTemplate): readonly string[] =>
  columns.find((column) => column.name === name)?.places ?? []

const isPlaces = (value: unknown): value is NamedPlaces =>
  isObject(value) &&
  Object.values(value).every(
    (place) => isObject(place) && typeof place['name'] === 'string' && Array.isArray(place['places']),
  )

/** Finds the columns of an answer in a list. A column whose values do not fit the property is left out. */
function applyPlaces(answer: NamedPlaces, open: OpenColumns, template: ListTemplate): ColumnMatch[] {
  const taken = new Set<SampledColumn>()
  return open.properties.flatMap((property): ColumnMatch[] => {
    const place = ownValue(answer, property.name)
    const column = place && findColumn(place, open.columns, template)
    if (!column || taken.has(column) || !mayHold(property, column)) return []
    taken.add(column)
    return [{ property, column, matchedBy: 'model', isSure: true }]
  })
}

function findColumn(
  { name, places }: NamedPlace,
  columns: readonly SampledColumn[],
  template: ListTemplate,
): SampledColumn | undefined {
  const there = template.columns.find((column) => column.places.some((one) => places.includes(one)))
  return columns.find(({ field }) => field.name === (there?.name ?? name))
}

function describeProperties(properties: readonly RowProperty[]): string {
  const lines = properties.map(({ name, types, format, options, description }, at) =>
    JSON.stringify({
      property: `p${at + 1}`,
      name: name.slice(0, MAX_SAMPLE),
      type: types.length > 0 ? types.join(' or ') : undefined,
      format,
      options: options && [...options.values].slice(0, MAX_SAMPLES * 2).map(shorten),
      description: description === '' ? undefined : description.slice(0, MAX_DESCRIPTION),
    }),
  )
  return `Find the column of the list for each of these properties:\n${lines.join('\n')}`
}

const describeSamples = (columns: readonly SampledColumn[]): string =>
  columns
    .map(({ field: { name, type, unit }, samples }, at) =>
      JSON.stringify({
        column: `c${at + 1}`,
        name: name.slice(0, MAX_SAMPLE),
        type,
        unit,
        values: samples.slice(0, MAX_SAMPLES).map(shorten),
      }),
    )
    .join('\n')

const shorten = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? value : String(value).slice(0, MAX_SAMPLE)

/** JSON Schema of the answer: for each property the number of its column, or null. */
const answerOf = (properties: readonly RowProperty[], columns: readonly SampledColumn[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    properties.map((_, at) => [`p${at + 1}`, { enum: [...columns.map((__, index) => `c${index + 1}`), null] }]),
  ),
  required: properties.map((_, at) => `p${at + 1}`),
  additionalProperties: false,
})
