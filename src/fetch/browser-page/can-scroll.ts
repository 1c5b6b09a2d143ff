/**
 * Source of a function for the browser: whether an element can be scrolled down or up by a visitor. The document's own
 * scroller takes its overflow from the root element, or from the body where that has none.
 *
 * @see CSS Overflow Module Level 3, section 3.3
 */
export const canScroll = `(at) => {
  if (at.scrollHeight <= at.clientHeight + 1) return false
  if (at !== document.scrollingElement) return /auto|scroll|overlay/.test(getComputedStyle(at).overflowY)
  const ofRoot = getComputedStyle(document.documentElement).overflowY
  const overflow = ofRoot === 'visible' && document.body ? getComputedStyle(document.body).overflowY : ofRoot
  return overflow !== 'hidden' && overflow !== 'clip'
}`
