import type { Region } from '../blocks/block.js'
import { boilerplateByTag } from '../rules/boilerplate.js'

/** True for the contents of the page's footer. An article or a quotation may have a footer of its own. */
export function isInFooter(region: Region): boolean {
  let isFooter = false
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    if (boilerplateByTag(at.element) === 'footer') isFooter = true
    else if (at.element.name === 'article' || at.element.name === 'blockquote') isFooter = false
  }
  return isFooter
}
