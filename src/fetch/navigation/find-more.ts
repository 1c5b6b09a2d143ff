import { LOAD_MORE, type MoreSign } from '../../text/more-of-list.js'
import { pageFunction } from '../browser-page/page-function.js'

/**
 * Looks for lists of which a part is not in the tree: a visible button behind a list that loads more of it, a virtual list,
 * which holds the rows in view only, and a count that says so. For an isolated world.
 */
export const findMore: () => Exclude<MoreSign, 'scroll'> | undefined = pageFunction(`() => {
  const loadMore = new RegExp(${JSON.stringify(`^(?:${LOAD_MORE})`)}, 'iu')
  const textOf = (element) => (element.textContent || '').trim().replace(/\\s+/g, ' ')
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0
  const kindOf = (element) => element.localName + '.' + (element.classList[0] || '')
  const countAlike = (list) => {
    const counts = new Map()
    for (const child of [...list.children].slice(0, 500)) {
      if (!textOf(child)) continue
      const kind = kindOf(child)
      counts.set(kind, (counts.get(kind) || 0) + 1)
    }
    return Math.max(0, ...counts.values())
  }
  // What a button in an item of a list brings is more of that item, unless it is all that is in it.
  const isInItem = (at, button) => {
    if (at === button || !at.parentElement || textOf(at) === textOf(button)) return false
    return [...at.parentElement.children].slice(0, 500).filter((other) => kindOf(other) === kindOf(at) && textOf(other)).length >= 4
  }
  // The list is what stands before the button, or before what is around it.
  const isBehindList = (button) => {
    for (let at = button, level = 0; at && at !== document.body && level < 4; at = at.parentElement, level++) {
      if (isInItem(at, button)) return false
      if (at.parentElement && countAlike(at.parentElement) >= 5) return true
      const before = at.previousElementSibling
      if (before && (countAlike(before) >= 4 || [...before.children].some((inner) => countAlike(inner) >= 4))) return true
    }
    return false
  }
  const buttons = [...document.querySelectorAll('button, [role="button"], input[type="button"], a:not([href]), a[href^="#"]')].slice(0, 2000)
  for (const button of buttons) {
    const label = textOf(button) || button.value || ''
    if (label.length > 60 || !loadMore.test(label) || button.disabled || button.ariaExpanded !== null) continue
    if (button.closest('nav, header, footer, dialog') || !isShown(button)) continue
    if (isBehindList(button)) return 'button'
  }
  for (const grid of [...document.querySelectorAll('[aria-rowcount]')].slice(0, 20)) {
    if (isShown(grid) && Number(grid.ariaRowCount) > grid.querySelectorAll('[role="row"], tr').length + 1) return 'virtual'
  }
  for (const list of new Set([...document.querySelectorAll('[aria-setsize]')].slice(0, 500).map((item) => item.parentElement))) {
    const items = list ? [...list.children].filter((item) => item.ariaSetSize !== null) : []
    const isMenu = items.some((item) => /^(?:tab|radio|menuitem|treeitem)/.test(item.role || ''))
    if (!isMenu && items.length > 0 && Math.max(...items.map((item) => Number(item.ariaSetSize))) > items.length * 1.5) return 'virtual'
  }
  // A virtual list keeps the height of all its rows: rows fill a small part of it.
  const sized = [...document.querySelectorAll('[style*="height"], [style*="padding"]')].slice(0, 500)
  for (const room of sized) {
    const style = room.style
    const own = Math.max(parseFloat(style.height) || 0, parseFloat(style.minHeight) || 0, (parseFloat(style.paddingTop) || 0) + (parseFloat(style.paddingBottom) || 0))
    if (own < 1000 || !/px/.test(style.cssText)) continue
    const alone = room.children.length === 1 ? room.children[0] : room
    // A row that only keeps the place of others.
    const list = room.children.length === 0 && room.parentElement ? room.parentElement : alone
    if (countAlike(list) < 3) continue
    const rows = [...list.children].filter((row) => textOf(row)).slice(0, 500)
    const filled = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0)
    if (filled > 0 && filled < list.scrollHeight * 0.5 && filled < own && isShown(list)) return 'virtual'
  }
  if (document.querySelector('[rel="next"], .pagination a, [class*="pager"] a')) return undefined
  const counted = /\\b(?:showing|displaying|viewed)\\s+(?:1\\s*(?:[-–]|to)\\s*)?(\\d{1,6})\\s+(?:of|out of)\\s+(\\d{1,7})\\b/i
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(), count = 0; node && count < 20000; node = walker.nextNode(), count++) {
    if (node.data.length > 200 || !/showing|displaying|viewed/i.test(node.data) || node.parentElement.childNodes.length > 9) continue
    const [, some, all] = counted.exec(textOf(node.parentElement).slice(0, 200)) || []
    if (Number(some) < Number(all) && isShown(node.parentElement)) return 'total'
  }
  return undefined
}`)

/** Length of the page's text. For an isolated world. */
export const measureText: () => number = pageFunction(`() => (document.body ? document.body.textContent.length : 0)`)

/**
 * Scrolls to the end, and says whether text comes of it, within some time; then back to where the page was. For an
 * isolated world.
 */
export const growsAtEnd: (maxMs: number) => Promise<boolean> = pageFunction(`async (maxMs) => {
  const length = () => (document.body ? document.body.textContent.length : 0)
  const [before, top] = [length(), scrollY]
  const page = document.scrollingElement
  if (!page) return false
  for (let waited = 0; waited < maxMs && length() <= before; waited += 50) {
    // Once from a little above, for who watches an end that is in view already.
    if (waited === 0) scrollTo({ top: page.scrollHeight - innerHeight * 2, behavior: 'instant' })
    else scrollTo({ top: page.scrollHeight, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  scrollTo({ top, behavior: 'instant' })
  return length() > before
}`)
