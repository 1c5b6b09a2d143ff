import { type Element, isElement, walk } from '../../html/tree.js'
import { type SearchForm, searchLimits } from '../search-page.js'

/** Names of text fields for words to search for. */
const SEARCH_NAME =
  /^(?:q|s|k|qs|qt|query|search|searchword|searchterms?|search_?query|search_?text|keywords?|kw|terms?|words?|text|such(?:e|wort|begriff)|recherche|buscar?|busqueda)$/i
/** Types of inputs that hold a text. A browser takes an unknown type for one. */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  'hidden submit button image reset checkbox radio range color file password'.split(' '),
)
/** Maximum number of nodes of a form that are read. A larger one is not a search box. */
const MAX_NODES = 1000
const MAX_NAME = 100

/** Reads a form. @returns undefined if it is not sent by GET, has not one text field alone, or is no search */
export function readForm(form: Element): SearchForm | undefined {
  const { method, action = '', role } = form.attribs
  if (method !== undefined && !/^\s*(?:get\s*)?$/i.test(method)) return undefined
  const inputs = listInputs(form)
  const texts = inputs?.filter((input) => !OTHER_TYPES.has(typeOf(input)))
  const [text] = texts ?? []
  if (!inputs || !text || texts?.length !== 1 || inputs.some((input) => /^(?:file|password)$/.test(typeOf(input)))) {
    return undefined
  }
  const { name: field = '' } = text.attribs
  const isMarked = isSearch(role) || typeOf(text) === 'search' || isInSearch(form)
  if (field === '' || field.length > MAX_NAME || !(isMarked || SEARCH_NAME.test(field))) return undefined
  const hidden = inputs.filter(isSent).map(({ attribs }) => [attribs['name'] ?? '', valueOf(attribs)] as const)
  return hidden.length > searchLimits.hidden ? undefined : { action, field, hidden, isMarked }
}

/** Lists the inputs of a form; undefined for a form that is too large, or that has a longer text. */
function listInputs(form: Element): Element[] | undefined {
  const inputs: Element[] = []
  let [nodes, isOther] = [0, false]
  walk(form, (node) => {
    nodes += 1
    if (isElement(node)) {
      if (node.name === 'input') inputs.push(node)
      isOther ||= node.name === 'textarea'
    }
    return isOther || nodes > MAX_NODES ? 'stop' : true
  })
  return isOther || nodes > MAX_NODES ? undefined : inputs
}

const typeOf = ({ attribs }: Element): string => (attribs['type'] ?? 'text').trim().toLowerCase()

const isSearch = (role: string | undefined): boolean => role?.trim().toLowerCase() === 'search'

/** Tests for a form in an element that says that it is a search. */
function isInSearch({ parent }: Element): boolean {
  for (let at = parent, levels = 0; at !== null && isElement(at) && levels < 5; at = at.parent, levels += 1) {
    if (at.name === 'search' || isSearch(at.attribs['role'])) return true
  }
  return false
}

/** Tests for a field that a browser sends without being asked to. */
function isSent(input: Element): boolean {
  const { attribs } = input
  if ((attribs['name'] ?? '') === '' || attribs['disabled'] !== undefined) return false
  const type = typeOf(input)
  return type === 'hidden' || ((type === 'checkbox' || type === 'radio') && attribs['checked'] !== undefined)
}

const valueOf = ({ value, type }: Readonly<Record<string, string>>): string =>
  value ?? (type?.toLowerCase() === 'hidden' ? '' : 'on')
