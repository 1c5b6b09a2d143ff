import { isObject, type JsonObject } from '../../../base/collections/is-object.js'

/** Statements of data about the list that is in it. */
export interface ListFacts {
  /** Number of entries of the whole list. */
  readonly total?: number
  /** Name of the value that states the total. */
  readonly totalName?: string
  /** Evidence that the list ends with these entries. */
  readonly end?: string
  /** True if the data says that the list goes on. */
  readonly goesOn: boolean
}

const TOTAL =
  /^(?:total|total_?(?:count|results?|items?|hits|records?|elements|entries|products|number)|num_?found|nb_?hits|number_?of_?items|(?:results?|items?|entries|hits)_?total)$/iu
const HAS_MORE = /^(?:has_?(?:more|next)(?:_?(?:page|pages|items|results))?|more_?available)$/iu
const IS_LAST = /^(?:is_?(?:last|end)(?:_?page)?|last|end_?of_?(?:list|results)|exhausted)$/iu
const NEXT = /^(?:next|next_?(?:page|url|cursor|offset|page_?token|page_?url|token|link|href))$/iu
const CURRENT = /^(?:current_?page|page_?number|page_?no|page)$/iu
const LAST = /^(?:total_?pages|page_?count|last_?page|num_?pages|nb_?pages|max_?page|pages)$/iu

/** Objects beside the records that tell about their pages. Others, such as filters, have totals of their own. */
const PAGING =
  /^(?:_?meta_?(?:data)?|_?links|page_?(?:info|data|meta)?|paging|pagination|paginator|pager|cursors?|navigation|(?:search|result|list|query)_?(?:info|information|meta(?:data)?|summary)|summary)$/iu

/** Maximum members of an object that are read, and depth of the objects about pages, such as `meta.pagination`. */
const MAX_MEMBERS = 100
const MAX_PAGING_DEPTH = 2

/**
 * Reads what the objects around a list of records state about its end: a total, the number of the last page, whether there
 * is a next one. They state it themselves, or in an object about pages such as `pageInfo`.
 *
 * @param around objects around the records, the nearest first
 */
export function readFacts(around: readonly JsonObject[]): ListFacts {
  let total: number | undefined
  let totalName: string | undefined
  let end: string | undefined
  let goesOn = false
  for (const facts of around.flatMap((object) => withPaging(object, '', 0))) {
    if (total === undefined) ({ total, totalName } = facts)
    end ??= facts.end
    goesOn ||= facts.goesOn
  }
  return { goesOn, ...withTotal(total, totalName), end: goesOn ? undefined : end }
}

const withTotal = (
  total: number | undefined,
  totalName = '',
): { readonly total?: number; readonly totalName?: string } => (total === undefined ? {} : { total, totalName })

/** Reads an object and the objects about pages in it. */
const withPaging = (object: JsonObject, place: string, depth: number): ListFacts[] => [
  readObject(object, place),
  ...(depth === MAX_PAGING_DEPTH ? [] : Object.entries(object).slice(0, MAX_MEMBERS)).flatMap(([name, value]) =>
    isObject(value) && PAGING.test(name) ? withPaging(value, `${place}${name}.`, depth + 1) : [],
  ),
]

function readObject(object: JsonObject, place: string): ListFacts {
  let total: number | undefined
  let totalName: string | undefined
  let end: string | undefined
  let goesOn = false
  let current: number | undefined
  let last: number | undefined
  for (const [name, value] of Object.entries(object).slice(0, MAX_MEMBERS)) {
    const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0
    if (isCount && total === undefined && TOTAL.test(name)) {
      total = value
      totalName = place + name
    }
    if (isCount && CURRENT.test(name)) current ??= value
    if (isCount && LAST.test(name)) last ??= value
    const isEnd = HAS_MORE.test(name)
      ? toBoolean(value, false)
      : IS_LAST.test(name)
        ? toBoolean(value, true)
        : undefined
    if (isEnd === true) end ??= `\`${place}${name}\` is ${String(value)}`
    if (isEnd === false) goesOn = true
    if (!NEXT.test(name)) continue
    if (value === null || value === '') end ??= `\`${place}${name}\` is empty`
    else if (typeof value === 'string' || typeof value === 'number') goesOn = true
  }
  if (current !== undefined && last !== undefined && current < last) goesOn = true
  if (current !== undefined && current === last && current > 0) end ??= `page ${current} of ${last}`
  return { goesOn, ...withTotal(total, totalName), end }
}

const toBoolean = (value: unknown, sense: boolean): boolean | undefined =>
  typeof value === 'boolean' ? value === sense : undefined
