import { type ChildNode, type Element, isElement, isText, walk } from '../../html/tree.js'

/** Class of a box that only its style draws. Notion, followers of GitHub. */
const BOX = /(?:^|\s)(?:checkbox-(?:on|off)|task-list-item-checkbox)(?:\s|$)/
/** Class of a task item, where its box is drawn by its style: GitHub's and its followers', Confluence. */
const TASK_ITEM = /(?:^|\s)task-list-item(?:\s|$)/
const CHECKED = /(?:^|\s)(?:checkbox-on|(?:is-|task-list-(?:item-)?)?(?:checked|completed?|done))(?:\s|$)/
const OPEN = /(?:^|\s)(?:checkbox-off|(?:is-|task-list-(?:item-)?)?(?:unchecked|incomplete))(?:\s|$)/

/**
 * Tells if a task item is done: by its checkbox, which is before its text, or else by its own attributes; undefined for
 * other items, and for those that do not say it, as their state may be an icon.
 */
export function taskStateOf(item: Element): boolean | undefined {
  const search: BoxSearch = { box: undefined }
  walk(item, findBox, undefined, search)
  const { box } = search
  const ofBox = box && stateIn(box)
  return ofBox === undefined && isTaskItem(item) ? stateIn(item) : ofBox
}

interface BoxSearch {
  box: Element | undefined
}

function findBox(node: ChildNode, search: BoxSearch): boolean | 'stop' {
  if (isText(node)) return node.data.trim() === '' ? true : 'stop'
  if (!isElement(node) || node.name === 'li') return isElement(node) ? 'stop' : true
  const { name, attribs } = node
  const isBox =
    name === 'input'
      ? attribs['type']?.toLowerCase() === 'checkbox'
      : attribs['role'] === 'checkbox' || (attribs['class'] !== undefined && BOX.test(attribs['class']))
  if (isBox) search.box = node
  return isBox || name === 'input' ? 'stop' : true
}

/** True for an item with the attributes of Confluence, TipTap, Quill, of a checkbox, or with the class of a task. */
const isTaskItem = ({ attribs }: Element): boolean =>
  attribs['data-inline-task-id'] !== undefined ||
  attribs['data-checked'] !== undefined ||
  /^(?:un)?checked$/.test(attribs['data-list'] ?? '') ||
  attribs['role'] === 'checkbox' ||
  (attribs['class'] !== undefined && TASK_ITEM.test(attribs['class']))

/** Tells if the marks of a box or an item are those of a done or an open task; undefined without such marks. */
function stateIn({ name, attribs }: Element): boolean | undefined {
  const isInput = name === 'input'
  const classes = isInput ? '' : (attribs['class'] ?? '')
  const { checked, 'aria-checked': byAria, 'data-checked': byData, 'data-list': byList } = attribs
  const isDone = byAria === 'true' || byData === 'true' || byData === '1' || byData === '' || byList === 'checked'
  if (isDone || checked !== undefined || CHECKED.test(classes)) return true
  if (byAria === 'mixed') return undefined
  // A checkbox, and a task of Confluence, are open unless they say otherwise.
  if (isInput || attribs['data-inline-task-id'] !== undefined) return false
  const isOpen = byAria === 'false' || byData === 'false' || byData === '0' || byList === 'unchecked'
  return isOpen || OPEN.test(classes) ? false : undefined
}
