import { collapse, type Element, isElement, parentElement, textOf, walk } from '../../../../content/html/tree.js'
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
  const texts = inputs?.filter((input) => input.name === 'input' && !OTHER_TYPES.has(typeOf(input)))
  const [text] = texts ?? []
  if (!inputs || !text || texts?.length !== 1 || inputs.some((input) => /^(?:file|password)$/.test(typeOf(input)))) {
    return undefined
  }
  const { name: field = '' } = text.attribs
  const isMarked = isSearch(role) || typeOf(text) === 'search' || isInSearch(form)
  if (field === '' || field.length > MAX_NAME || !(isMarked || SEARCH_NAME.test(field))) return undefined
  const hidden = inputs.filter(({ name }) => name === 'input').flatMap(sentFields)
  if (hidden.length > searchLimits.hidden) return undefined
  const options = inputs.filter(({ name }) => name === 'select').flatMap(sentFields)
  const selected = options.slice(0, searchLimits.hidden - hidden.length)
  return { action, field, hidden, selected, isMarked }
}

/** Lists the inputs and selects of a form; undefined for a form that is too large, or that has a longer text. */
function listInputs(form: Element): Element[] | undefined {
  const inputs: Element[] = []
  let [nodes, isOther] = [0, false]
  walk(form, (node) => {
    nodes += 1
    if (isElement(node)) {
      if (node.name === 'input' || node.name === 'select') inputs.push(node)
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

/** Returns what a browser sends of a field without being asked to, as names and values. */
function sentFields(field: Element): (readonly [name: string, value: string])[] {
  const { name, attribs } = field
  const key = attribs['name'] ?? ''
  if (key === '' || attribs['disabled'] !== undefined || isInDisabled(field)) return []
  if (name === 'select') return selectedOptions(field).map((option) => [key, optionValue(option)])
  const type = typeOf(field)
  const isSent = type === 'hidden' || ((type === 'checkbox' || type === 'radio') && attribs['checked'] !== undefined)
  return isSent ? [[key, valueOf(attribs)]] : []
}

/** Tests for a field in a disabled group. Those in the group's legend are not disabled. */
function isInDisabled(field: Element): boolean {
  let at = field
  for (let around = parentElement(at); around !== undefined; at = around, around = parentElement(at)) {
    if (around.name === 'fieldset' && around.attribs['disabled'] !== undefined && at.name !== 'legend') return true
  }
  return false
}

/** @see https://html.spec.whatwg.org/multipage/form-elements.html#the-select-element */
function selectedOptions(select: Element): Element[] {
  const options: Element[] = []
  walk(select, (node) => {
    if (isElement(node) && node.name === 'option') options.push(node)
  })
  const isOn = (option: Element): boolean => !isDisabled(option)
  const selected = options.filter(({ attribs }) => attribs['selected'] !== undefined)
  if (select.attribs['multiple'] !== undefined) return selected.filter(isOn)
  // Without a choice, the first option that can be chosen is shown, but none in a list of several lines.
  const first = Number.parseInt(select.attribs['size'] ?? '1', 10) > 1 ? undefined : options.find(isOn)
  const shown = selected.at(-1) ?? first
  return shown !== undefined && isOn(shown) ? [shown] : []
}

const isDisabled = ({ attribs, parent }: Element): boolean =>
  attribs['disabled'] !== undefined ||
  (parent !== null && isElement(parent) && parent.name === 'optgroup' && parent.attribs['disabled'] !== undefined)

const optionValue = (option: Element): string => option.attribs['value'] ?? collapse(textOf(option))

const valueOf = ({ value, type }: Readonly<Record<string, string>>): string =>
  value ?? (type?.toLowerCase() === 'hidden' ? '' : 'on')
