import { type ChildNode, type Element, isElement, isText, walk } from '../../html/tree.js'

/** Class of a box that only its style draws, with its state. Notion. */
const BOX = /(?:^|\s)checkbox-(?:on|off)(?:\s|$)/
/** Class of a task item, where its box is drawn by its style: GitHub's and its followers', Confluence. */
const TASK_ITEM = /(?:^|\s)task-list-item(?:\s|$)/
const CHECKED = /(?:^|\s)(?:checkbox-on|(?:is-|task-list-(?:item-)?)?(?:checked|completed|done))(?:\s|$)/

/**
 * Tells if a task item is done: by its checkbox, which is before its text, or else by its own attributes; undefined for
 * other items.
 */
export function taskStateOf(item: Element): boolean | undefined {
  const search: BoxSearch = { box: undefined }
  walk(item, findBox, undefined, search)
  const { box } = search
  if (box !== undefined) return isChecked(box)
  return isTaskItem(item) ? isChecked(item) : undefined
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

const isChecked = ({ name, attribs }: Element): boolean =>
  attribs['checked'] !== undefined ||
  attribs['aria-checked'] === 'true' ||
  attribs['data-checked'] === 'true' ||
  attribs['data-list'] === 'checked' ||
  (name !== 'input' && attribs['class'] !== undefined && CHECKED.test(attribs['class']))
