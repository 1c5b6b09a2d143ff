import { child, childrenNamed, descendants, type XmlElement, type XmlNode } from '../package/xml.js'

/**
 * Removes the record of tracked changes, and deleted text that is still in the text, between marks. LibreOffice writes it so
 * to single-file documents.
 *
 * @see OpenDocument 1.3 part 3, section 5.5
 */
export function removeDeletions(body: XmlElement): void {
  const changes = child(body, 'text:tracked-changes')
  if (changes === undefined) return
  body.children.splice(body.children.indexOf(changes), 1)
  // A deletion without an end would remove the rest of the text.
  const ended = new Set(descendants(body, 'text:change-end').map(changeOf))
  const deletions = new Set(
    childrenNamed(changes, 'text:changed-region')
      .filter((region) => child(region, 'text:deletion') !== undefined)
      .map(({ attributes }) => attributes['text:id'] ?? attributes['xml:id'])
      .filter((id) => ended.has(id)),
  )
  if (deletions.size > 0) removeBetween(body, deletions, new Set())
}

const changeOf = ({ attributes }: XmlElement): string | undefined => attributes['text:change-id']

/** @param open deletions that began before the element, and have not ended */
function removeBetween(
  element: XmlElement,
  deletions: ReadonlySet<string | undefined>,
  open: Set<string | undefined>,
): void {
  const nodes: readonly XmlNode[] = [...element.children]
  element.children.length = 0
  for (const node of nodes) {
    if (typeof node === 'string') {
      if (open.size === 0) element.children.push(node)
    } else if (node.name === 'text:change-start' && deletions.has(changeOf(node))) open.add(changeOf(node))
    else if (node.name === 'text:change-end') open.delete(changeOf(node))
    else {
      const isDeletedAtStart = open.size > 0
      removeBetween(node, deletions, open)
      if (!isDeletedAtStart || open.size === 0 || node.children.length > 0) element.children.push(node)
    }
  }
}
